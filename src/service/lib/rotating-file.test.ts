import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRotatingFile } from './rotating-file.ts';

let parent: string;
let folder: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tallylight-log-'));
  folder = join(parent, 'logs');
});
afterEach(() => rmSync(parent, { recursive: true }));

const readAll = () => Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

test('a file that would grow past its bound moves aside, and the oldest goes', () => {
  const file = openRotatingFile(join(folder, 'a'), { maxFileBytes: 8, maxFiles: 3 });
  for (const line of ['one\n', 'two\n', '3\n', 'four\n', 'five5\n', 'a line past the bound\n', '7\n']) file.write(line);
  file.close();
  expect(readAll()).toEqual({ 'a.log': '7\n', 'a.1.log': 'a line past the bound\n', 'a.2.log': 'five5\n' });
});

test('lines go on where an earlier run left the file, and its size counts', () => {
  const bounds = { maxFileBytes: 8, maxFiles: 2 };
  const first = openRotatingFile(join(folder, 'a'), bounds);
  first.write('one\n');
  first.close();
  const second = openRotatingFile(join(folder, 'a'), bounds);
  second.write('two\n');
  second.write('3\n');
  second.close();
  expect(readAll()).toEqual({ 'a.log': '3\n', 'a.1.log': 'one\ntwo\n' });
});

test('nothing is made before the first line, and nothing written after close', () => {
  const file = openRotatingFile(join(folder, 'a'), { maxFileBytes: 8, maxFiles: 2 });
  expect(readdirSync(parent)).toEqual([]);
  file.write('1\n');
  file.close();
  file.close();
  file.write('2\n');
  expect(readAll()).toEqual({ 'a.log': '1\n' });
});

test('what cannot be written is dropped without a throw', () => {
  writeFileSync(folder, 'a file where the folder should be');
  const file = openRotatingFile(join(folder, 'a'), { maxFileBytes: 8, maxFiles: 2 });
  file.write('1\n');
  file.close();
});

test.runIf(process.platform !== 'win32')('folder and files are readable by the user alone', () => {
  const file = openRotatingFile(join(folder, 'a'), { maxFileBytes: 2, maxFiles: 2 });
  file.write('1\n');
  file.write('2\n');
  file.close();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'a.log')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'a.1.log')).mode & 0o777).toBe(0o600);
});
