import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectPrivate } from '../../test/support/expect-private.ts';
import { runCommand } from '../../test/support/run-command.ts';
import { makeTestFolder, openStoreStand } from '../../test/support/store-stand.ts';

let folder: ReturnType<typeof makeTestFolder>;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder[Symbol.dispose]());

const keys = (...args: string[]) => runCommand('keys', ...args, '--data-dir', folder.path);

test('keys create prints only the new key, and creates the store readable only by the user', async () => {
  const { status, stdout, stderr } = await keys('create', 'robot', '--secrets', 'memory');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^tl_[a-z0-9]{40}\n$/);
  expectPrivate(join(folder.path, 'tallylight.db'));
  expect(readFileSync(join(folder.path, 'tallylight.db')).includes(stdout.trim())).toBe(false);
});

test('while the service runs, a key works as soon as it is created and is refused as soon as it is revoked', async () => {
  using stand = await openStoreStand({ folder: folder.path });
  const secret = (await keys('create', 'robot')).stdout.trim();
  expect(stand.apiKeys.authenticate(secret)).toMatchObject({ name: 'robot' });
  // Changes by another process take effect in the next turn of the event loop, as for every later request.
  await setImmediate();
  const { status, stdout } = await keys('revoke', 'robot');
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^Revoked "robot" \([0-9a-f-]{36}\)\.\n$/) });
  expect(stand.apiKeys.authenticate(secret)).toBeUndefined();
});

test('keys list shows a table, newest first, and JSON with --json', async () => {
  using stand = await openStoreStand({ folder: folder.path, time: Date.UTC(2026, 0, 2, 3, 4, 5) });
  const old = await stand.apiKeys.create('old one');
  stand.apiKeys.authenticate(old.secret);
  stand.writer.flush();
  stand.clock.time += 1000;
  const { apiKey } = await stand.apiKeys.create('new');
  expect((await keys('list')).stdout).toBe(
    [
      `ID${' '.repeat(36)}NAME     CREATED               LAST USED`,
      `${apiKey.id}  new      2026-01-02T03:04:06Z  never`,
      `${old.apiKey.id}  old one  2026-01-02T03:04:05Z  2026-01-02T03:04:05Z`,
      '',
    ].join('\n'),
  );
  expect(JSON.parse((await keys('list', '--json')).stdout)).toEqual([
    { id: apiKey.id, name: 'new', createdAt: apiKey.createdAt },
    { id: old.apiKey.id, name: 'old one', createdAt: old.apiKey.createdAt, lastUsedAt: old.apiKey.createdAt },
  ]);
});

test('a name shared by several keys is not revoked: the error lists their ids, each of which works', async () => {
  await keys('create', 'twin');
  await keys('create', 'twin');
  const ids = (JSON.parse((await keys('list', '--json')).stdout) as { id: string }[]).map(({ id }) => id);
  expect(await keys('revoke', 'twin')).toEqual({
    status: 1,
    stdout: '',
    stderr: `tallylight: 2 API keys are named "twin". Use the id of one: ${ids.join(', ')}.\n`,
  });
  expect(await keys('revoke', ids[0]!)).toMatchObject({ status: 0 });
  expect(await keys('revoke', 'twin')).toMatchObject({ status: 0, stdout: `Revoked "twin" (${ids[1]}).\n` });
});

test.each([
  [['revoke', 'nobody'], 'tallylight: No API key has the name or id "nobody".\n'],
  [['create', '   '], 'tallylight: The name must have 1 to 100 characters and must not be blank.\n'],
  [['create', 'x'.repeat(101)], 'tallylight: The name must have 1 to 100 characters and must not be blank.\n'],
  [['create'], "error: missing required argument 'name'\n"],
  [['forget', 'x'], "error: unknown command 'forget'\n"],
])('keys %j fails with one sentence on stderr and status 1', async (args, stderr) => {
  await keys('create', 'somebody');
  expect(await keys(...args)).toEqual({ status: 1, stdout: '', stderr });
});

test('a key itself is not what it is revoked by, and is not repeated', async () => {
  const secret = (await keys('create', 'robot')).stdout.trim();
  expect(await keys('revoke', secret)).toEqual({
    status: 1,
    stdout: '',
    stderr: 'tallylight: A key is revoked by its name or its id, not by the key itself.\n',
  });
});

test('list and revoke in a folder without a store fail with a sentence and create nothing', async () => {
  const missing = join(folder.path, 'typo');
  const stderr = `tallylight: There is no store in ${missing}. Start Tallylight there first, or use another --data-dir.\n`;
  for (const args of [['list'], ['revoke', 'x']]) {
    expect(await runCommand('keys', ...args, '--data-dir', missing)).toEqual({ status: 1, stdout: '', stderr });
  }
  expect(existsSync(missing)).toBe(false);
});

test.each(['', '~/tallylight', '--json'])('the data folder "%s" is a slip, and nothing is created for it', async (path) => {
  for (const args of [['create', 'robot'], ['list'], ['revoke', 'x']]) {
    expect(await runCommand('keys', ...args, '--data-dir', path)).toEqual({
      status: 1,
      stdout: '',
      stderr: `error: option '--data-dir <folder>' argument '${path}' is invalid. It must be the path of a folder, as in /var/lib/tallylight. Shells expand ~ only at the start of a word.\n`,
    });
  }
  expect([existsSync('~'), existsSync('--json'), existsSync('tallylight.db')]).toEqual([false, false, false]);
});

test.runIf(process.platform !== 'win32')('a folder that cannot be looked into is not one without a store', async () => {
  // Like another user's folder, even for root, who may read everything.
  const loop = join(folder.path, 'loop');
  symlinkSync(loop, loop);
  const stderr = `tallylight: Cannot use the data folder ${loop}: ELOOP: too many symbolic links encountered, stat '${join(loop, 'tallylight.db')}'.\n`;
  for (const args of [['list'], ['revoke', 'x']]) {
    expect(await runCommand('keys', ...args, '--data-dir', loop)).toEqual({ status: 1, stdout: '', stderr });
  }
});

test('a store that cannot be opened is named, with the reason', async () => {
  const broken = join(folder.path, 'broken');
  const file = join(broken, 'tallylight.db');
  mkdirSync(file, { recursive: true });
  const answer = await runCommand('keys', 'list', '--data-dir', broken);
  expect(answer).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining(`tallylight: The store ${file} cannot be opened. E`),
  });
});

test('--version prints the version, --help the commands', async () => {
  expect(await runCommand('--version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(await runCommand('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('keys') });
  expect((await runCommand('keys', '--help')).stdout).toMatch(/create.*list.*revoke/s);
});
