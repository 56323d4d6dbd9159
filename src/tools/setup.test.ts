import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';

/** Runs the setup in a new folder, with an npm of the test's own; returns that npm's arguments and the output for the user. */
function setUp(env: Record<string, string>, npm: string): { status: number | null; said: string; told: string } {
  const folder = mkdtempSync(join(tmpdir(), 'setup-'));
  const program = join(folder, 'npm.cjs');
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  writeFileSync(program, `const fs = require('node:fs');\nfs.writeFileSync('told', process.argv.slice(2).join(' '));\n${npm}`);
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-'], {
    cwd: folder,
    input: readFileSync(join(root, 'src', 'tools', 'setup.ts')),
    env: { ...process.env, npm_execpath: program, ...env },
    encoding: 'utf8',
  });
  return { status, said: stderr, told: readFileSync(join(folder, 'told'), 'utf8') };
}

const installs = `fs.mkdirSync('node_modules/.bin', { recursive: true });
for (const name of ['node', 'node.cmd', 'exec.cmd']) fs.writeFileSync('node_modules/.bin/' + name, '');`;

test('the packages that it is built with are installed even where NODE_ENV is "production"', () => {
  const { status, told } = setUp({ NODE_ENV: 'production' }, installs);
  expect(status).toBe(0);
  expect(told.split(' ')).toContain('--include=dev');
});

test('where npm runs no scripts of packages, it says so instead of asking for the same again', () => {
  const installsNothing = `fs.mkdirSync('node_modules/.bin', { recursive: true });`;
  expect(setUp({ npm_config_ignore_scripts: 'true' }, installsNothing)).toMatchObject({
    status: 1,
    said: expect.stringContaining('npm ci --ignore-scripts=false'),
  });
  expect(setUp({ npm_config_ignore_scripts: '' }, installsNothing)).toMatchObject({
    status: 1,
    said: expect.stringContaining('Delete node_modules and try again.'),
  });
});
