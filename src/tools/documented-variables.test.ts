import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';

const read = (...patterns: readonly string[]) =>
  globSync(patterns, { cwd: root, exclude: (name) => name.includes('node_modules') })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');

const findNames = (text: string) => [...new Set(text.match(/TALLYLIGHT_[A-Z][A-Z_]*[A-Z]/g) ?? [])].sort();

/** The options of the headless host, each of which can also be a variable. */
const options = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/`--([a-z-]+)(?: [^`]*)?`/g)].map(
  ([, name = '']) => `TALLYLIGHT_${name.replaceAll('-', '_').toUpperCase()}`,
);

test('every environment variable that the code names is documented, and the documents name no other', () => {
  const documented = findNames(read('*.md', 'docs/**/*.md', 'test/README.md'));
  const known = findNames(read('src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'));
  expect(known.filter((name) => !documented.includes(name) && !options.includes(name))).toEqual([]);
  expect(documented.filter((name) => !known.includes(name) && !options.includes(name))).toEqual([]);
});
