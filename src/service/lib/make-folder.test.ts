import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { parse } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from './make-folder.ts';

test("a folder on a drive that isn't there fails with the system's own error", () => {
  const look = vi.spyOn(fs, 'statSync').mockReturnValue(undefined);
  const make = vi.spyOn(fs, 'mkdirSync').mockImplementation((path) => {
    throw Object.assign(new Error(`ENOENT: no such file or directory, mkdir '${path}'`), { code: 'ENOENT' });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    look.mockRestore();
    make.mockRestore();
    syncBuiltinESMExports();
  });
  const { root } = parse(import.meta.dirname);
  expect(() => makeFolder(`${root}tallylight/data`)).toThrow(`ENOENT: no such file or directory, mkdir '${root}'`);
});
