import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';

const renderer = join(root, 'src/renderer');

/** The classes that a style sheet defines, as `path .name`. */
function findDefined(path: string): string[] {
  const sheet = readFileSync(join(renderer, path), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
  const selectors = sheet.replaceAll(/\{[^{}]*\}/g, '{}');
  return [...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => `${path} .${name}`);
}

/** The classes of style sheets that a component uses, as `path .name`. */
function findUsed(path: string): string[] {
  const code = readFileSync(join(renderer, path), 'utf8');
  return [...code.matchAll(/import (\w+) from '(.*\.module\.css)'/g)].flatMap(([, styles, sheet = '']) =>
    [...code.matchAll(new RegExp(`\\b${styles}\\.(\\w+)`, 'g'))].map(([, name]) => `${join(dirname(path), sheet)} .${name}`),
  );
}

test('components use each class that a style sheet defines, and no other', () => {
  const defined = globSync('**/*.module.css', { cwd: renderer }).flatMap(findDefined);
  const used = globSync('**/*.tsx', { cwd: renderer }).flatMap(findUsed);
  expect(new Set(used)).toEqual(new Set(defined));
});
