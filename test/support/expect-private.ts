import { statSync } from 'node:fs';
import { expect } from 'vitest';

/** Only the user may read and write these files, and open these folders. On Windows, which has no modes, the user's own folder sees to it. */
export function expectPrivate(...paths: string[]): void {
  if (process.platform === 'win32') return;
  const modes = paths.map((path) => {
    const found = statSync(path);
    return { path, mode: (found.mode & 0o777).toString(8), wanted: found.isDirectory() ? '700' : '600' };
  });
  expect(modes).toEqual(modes.map(({ path, wanted }) => ({ path, mode: wanted, wanted })));
}
