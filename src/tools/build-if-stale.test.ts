import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { root } from './paths.ts';

/** A project whose electron-vite builds at once. */
let project: string;
beforeEach(() => {
  project = makeFolder();
  for (const folder of ['node_modules/electron-vite/bin', 'src/tools']) mkdirSync(join(project, folder), { recursive: true });
  for (const name of ['build-if-stale', 'exit-with-reason', 'paths'])
    copyFileSync(join(root, 'src', 'tools', `${name}.ts`), join(project, 'src', 'tools', `${name}.ts`));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  for (const name of ['package-lock.json', 'electron.vite.config.ts', 'tsconfig.json']) writeFileSync(join(project, name), '');
  writeFileSync(
    join(project, 'node_modules/electron-vite/bin/electron-vite.js'),
    "require('node:fs').mkdirSync('out', { recursive: true });",
  );
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tallylight-stale-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Builds the project in this folder if it is stale. Returns the output. */
async function buildIfStale(folder: string, ...nodeOptions: string[]): Promise<string> {
  const [tool, reason] = ['build-if-stale', 'exit-with-reason'].map((name) =>
    JSON.stringify(join(folder, `src/tools/${name}.ts`)),
  );
  const script = `import { buildIfStale } from ${tool}; import { exitWithReason } from ${reason};
    await buildIfStale().catch(exitWithReason);`;
  const args = [...nodeOptions, '--input-type=module', '--eval', script];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [said] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return said;
}

test('a build that was copied elsewhere, with times in whole seconds, is fresh', async () => {
  expect(await buildIfStale(project)).toBe('Building…\n');
  const elsewhere = makeFolder();
  cpSync(project, elsewhere, { recursive: true });
  utimesSync(join(elsewhere, 'package.json'), 1_700_000_000, 1_700_000_000);
  expect(await buildIfStale(elsewhere)).toBe('');
});

test('a build is stale when a file is added, changes or is removed, whatever its size and time', async () => {
  const source = join(project, 'src', 'added.ts');
  const write = (code: string) => {
    writeFileSync(source, code);
    utimesSync(source, 1_700_000_000, 1_700_000_000);
  };
  await buildIfStale(project);
  write('1');
  expect(await buildIfStale(project)).toBe('Building…\n');
  write('2');
  expect(await buildIfStale(project)).toBe('Building…\n');
  write('2');
  expect(await buildIfStale(project)).toBe('');
  rmSync(source);
  expect(await buildIfStale(project)).toBe('Building…\n');
});

test('a stale build that cannot be written says what to do, a fresh one is used', async () => {
  // Permissions don't stop root.
  const readOnly = join(project, 'read-only.mjs');
  writeFileSync(
    readOnly,
    `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
    fs.accessSync = (path) => { throw Object.assign(new Error('EROFS: read-only file system, access ' + path), { code: 'EROFS' }) };
    syncBuiltinESMExports();`,
  );
  const build = () => buildIfStale(project, '--import', readOnly);
  expect(await build()).toBe(
    `Tallylight isn't built yet, and ${project} can't be written here. Run "npm run build" as its owner, where it can.\n`,
  );
  await buildIfStale(project);
  expect(await build()).toBe('');
  writeFileSync(join(project, 'src', 'changed.ts'), '');
  expect(await build()).toBe(
    `The build is older than the sources, and ${join(project, 'out')} can't be written here. Run "npm run build" as its owner, where it can.\n`,
  );
});
