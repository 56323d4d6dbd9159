import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';

const pages = globSync(['*.md', 'docs/**/*.md', 'test/**/*.md'], { cwd: root });

/** The project paths that a page names: links, and code like `src/service/config.ts`, except for files yet to be created. */
function readPaths(page: string): string[] {
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const links = [...line.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target]) => join(dirname(page), target ?? ''));
    const names = [...line.matchAll(/`((?:src|test|docs|bench|\.ci)\/[^` ]*)`/g)].map(([, name]) => name ?? '');
    return line.includes('(new)') ? links : [...links, ...names.filter((name) => !/[<{]|NNNN/.test(name))];
  });
}

test.each(pages)('the paths that %s names exist', (page) => {
  const missing = readPaths(page).filter((path) =>
    path.includes('*') ? globSync(path, { cwd: root }).length === 0 : !existsSync(join(root, path)),
  );
  expect(missing).toEqual([]);
});
