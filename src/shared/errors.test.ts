import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { errorTable } from './errors.ts';

test('docs/errors.md lists every code with its status and when it happens', async () => {
  const text = await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `([A-Z_]+)` \| (\d+) \| (.+) \|$/gm)].map(([, code, status, when]) => [
    code,
    Number(status),
    when,
  ]);
  expect(rows).toEqual(Object.entries(errorTable).map(([code, { status, when }]) => [code, status, when]));
});
