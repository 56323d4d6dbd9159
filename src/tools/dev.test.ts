import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { root } from './paths.ts';

/** A project whose electron-vite prints its arguments and which Electron it runs. */
let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'tallylight-dev-'));
  onTestFinished(() => rmSync(project, { recursive: true }));
  for (const name of ['dev', 'build-if-stale', 'electron-download', 'end-within', 'exit-with-reason', 'paths'])
    copySource(join('tools', `${name}.ts`));
  for (const name of ['end-signals', 'kill-child', 'read-error']) copySource(join('service', 'lib', `${name}.ts`));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  write(
    'node_modules/electron-vite/bin/electron-vite.js',
    'console.log(...process.argv.slice(2), process.env.ELECTRON_EXEC_PATH);',
  );
});

function copySource(path: string) {
  mkdirSync(join(project, 'src', dirname(path)), { recursive: true });
  copyFileSync(join(root, 'src', path), join(project, 'src', path));
}

function write(path: string, text: string) {
  mkdirSync(join(project, dirname(path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

/** Runs what `npm run dev -- --watch` runs. */
function runDev(distPath = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(project, 'src', 'tools', 'dev.ts'), '--watch'], {
    env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: distPath },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('electron-vite runs the Electron in ELECTRON_OVERRIDE_DIST_PATH', () => {
  write('own/electron', '');
  expect(runDev(join(project, 'own'))).toEqual({
    status: 0,
    stdout: `dev --watch ${join(project, 'own', 'electron')}\n`,
    stderr: '',
  });
});

test('the last build no longer counts as fresh: electron-vite writes another one in its place', () => {
  write('own/electron', '');
  write('out/.built-from', 'a hash');
  runDev(join(project, 'own'));
  expect(existsSync(join(project, 'out', '.built-from'))).toBe(false);
});

test('a missing Electron is downloaded first', () => {
  write(
    'node_modules/electron/install.js',
    `const { mkdirSync, writeFileSync } = require('node:fs'); const { join } = require('node:path');
    mkdirSync(join(__dirname, 'dist'));
    for (const name of ['path.txt', 'dist/electron']) writeFileSync(join(__dirname, name), 'electron');`,
  );
  expect(runDev()).toEqual({
    status: 0,
    stdout: `dev --watch ${join(project, 'node_modules', 'electron', 'dist', 'electron')}\n`,
    stderr: 'Downloading Electron, about 120 MB, the first time only…\n',
  });
});

test('without Electron it says why', () => {
  write('node_modules/electron/install.js', 'process.exit(1);');
  expect(runDev()).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Downloading Electron, about 120 MB, the first time only…\nElectron is not available: its download was refused.\n',
  });
});
