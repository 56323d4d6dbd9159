import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { root } from './paths.ts';

/** A project whose build fails: its electron-vite only prints why. */
let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'tallylight-build-'));
  const builder = join(project, 'node_modules', 'electron-vite', 'bin');
  for (const folder of [builder, join(project, 'src', 'tools')]) mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json', 'electron.vite.config.ts', 'tsconfig.json'])
    copyFileSync(join(root, name), join(project, name));
  for (const name of ['serve', 'tallylight', 'bench', 'build', 'build-if-stale', 'exit-with-reason', 'paths', 'start-folder'])
    copyFileSync(join(root, 'src', 'tools', `${name}.ts`), join(project, 'src', 'tools', `${name}.ts`));
  writeFileSync(join(builder, 'electron-vite.js'), "console.error('no space left'); process.exit(1);");
});
afterAll(() => rmSync(project, { recursive: true }));

test.each(['serve', 'tallylight', 'bench', 'build'])('npm run %s says that the build failed, without a stack', async (name) => {
  const child = spawn(process.execPath, [join(project, 'src', 'tools', `${name}.ts`)], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'Building…\nno space left\nThe build failed. See its output above.\n',
  });
});

test('a command that waits for another build says so', async () => {
  const cache = join(project, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const other = new DatabaseSync(join(cache, 'tallylight-build.lock'));
  onTestFinished(() => {
    if (other.isOpen) other.close();
  });
  other.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  const child = spawn(process.execPath, [join(project, 'src', 'tools', 'build.ts')], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = createInterface(child.stderr)[Symbol.asyncIterator]();
  expect((await said.next()).value).toBe('Waiting for another build…');
  other.close();
  expect((await said.next()).value).toBe('Building…');
});
