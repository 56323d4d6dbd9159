import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';

function findRfcs(path: string): string[] {
  const cited = readFileSync(join(root, path), 'utf8').match(/rfc ?\d+(?:bis)?/gi) ?? [];
  return cited.map((rfc) => rfc.toUpperCase().replace(' ', ''));
}

test('docs/specifications.md lists every RFC that code cites', () => {
  const listed = new Set(findRfcs('docs/specifications.md'));
  const unlisted = globSync(['src/**/*.{ts,tsx}', 'test/**/*.ts', 'bench/**/*.ts'], { cwd: root }).flatMap((path) =>
    findRfcs(path)
      .filter((rfc) => !listed.has(rfc))
      .map((rfc) => `${path}: ${rfc}`),
  );
  expect(unlisted).toEqual([]);
});
