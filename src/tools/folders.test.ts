import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';

/** The folders of `parent` that import each other, directly or through others, each with those that it imports. */
function findCircles(parent: string): Record<string, string[]> {
  const imports = new Map<string, Set<string>>();
  for (const path of globSync('*/**/*.{ts,tsx}', { cwd: join(root, parent) })) {
    if (path.includes('.test.')) continue;
    const [folder = ''] = path.split(sep);
    const found = imports.get(folder) ?? new Set();
    imports.set(folder, found);
    const code = readFileSync(join(root, parent, path), 'utf8');
    for (const [, imported = ''] of code.matchAll(/from '(\.[^']+)'/g)) {
      const [other = '', ...rest] = relative('.', join(dirname(path), imported)).split(sep);
      // A file beside the folders belongs to no folder, and `..` is above them.
      if (rest.length > 0 && other !== '..' && other !== folder) found.add(other);
    }
  }
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of imports.get(from) ?? []) if (!seen.has(next)) reach(next, seen.add(next));
    return seen;
  };
  const circular = [...imports.keys()].filter((folder) => reach(folder).has(folder));
  return Object.fromEntries(
    circular.map((folder) => [folder, [...(imports.get(folder) ?? [])].filter((other) => circular.includes(other))]),
  );
}

test.each(['src/service', 'src/renderer', 'src'])('the folders of %s do not import each other in circles', (parent) => {
  expect(findCircles(parent)).toEqual({});
});
