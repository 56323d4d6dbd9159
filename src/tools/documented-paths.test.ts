import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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

const testNames = new Set(globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).map((path) => basename(path)));

/** The tests that a page names without their folder, `x.test.ts` or `x` in a column *Tested in*, except for files yet to be created. */
function readTestNames(page: string): string[] {
  let column = -1;
  return readFileSync(join(root, page), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith('|')) column = -1;
      const cells = line.split('|').map((cell) => cell.trim());
      if (cells.includes('Tested in')) column = cells.indexOf('Tested in');
      if (line.includes('(new)')) return [];
      const named = [...line.matchAll(/`([\w-]+\.test\.ts)`/g)].map(([, name]) => name ?? '');
      const listed = [...(cells[column] ?? '').matchAll(/`([\w-]+)`/g)].map(([, name]) => `${name}.test.ts`);
      return [...named, ...listed];
    });
}

test.each(pages)('the tests that %s names exist', (page) => {
  expect(readTestNames(page).filter((name) => !testNames.has(name))).toEqual([]);
});
