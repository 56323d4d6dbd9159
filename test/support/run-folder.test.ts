import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { removeFoldersOfTheDead, setup } from './run-folder.ts';
import { makeTestFolder } from './store-stand.ts';

test('a test run has its own temporary folder', () => {
  expect(basename(tmpdir())).toMatch(/^tallylight-run-\d+-/);
});

test('removes the folder with its contents, and restores the previous temporary folder', () => {
  const before = tmpdir();
  const tearDown = setup();
  const folder = tmpdir();
  expect(basename(folder)).toMatch(new RegExp(`^tallylight-run-${process.pid}-`));
  mkdirSync(join(folder, 'profile', 'Default'), { recursive: true });
  writeFileSync(join(folder, 'profile', 'Default', 'Cookies'), 'left by a browser');
  tearDown();
  expect([existsSync(folder), existsSync(dirname(folder)), tmpdir()]).toEqual([false, true, before]);
});

test('the next run removes the folders of interrupted runs, but not those of running ones', () => {
  using base = makeTestFolder();
  const { pid: deadPid } = spawnSync(process.execPath, ['--version']);
  const names = [`tallylight-run-${process.pid}-a`, 'tallylight-run-other', 'something'];
  for (const name of [...names, `tallylight-run-${deadPid}-a`])
    mkdirSync(join(base.path, name, 'profile'), { recursive: true });
  removeFoldersOfTheDead(base.path);
  expect(readdirSync(base.path).sort()).toEqual(names.sort());
});
