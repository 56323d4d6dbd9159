import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTestLog, makeTestFolder, openStoreStand } from '../../../test/support/store-stand.ts';
import { createEventSource } from '../lib/event-source.ts';
import { openApiKeyTable } from '../store/api-key-table.ts';
import { openDatabase } from '../store/database.ts';
import { openSettingTable } from '../store/setting-table.ts';
import { randomAlphanumerics } from './random-text.ts';

test('a key is recognised by its secret until it is revoked, by id or name', async () => {
  using stand = await openStoreStand();
  const { apiKey, secret } = await stand.apiKeys.create('robot');
  expect(secret).toMatch(/^tl_[a-z0-9]{40}$/);
  expect(stand.apiKeys.list()).toEqual([{ id: apiKey.id, name: 'robot', createdAt: stand.clock.time }]);
  expect(stand.apiKeys.authenticate(secret)).toEqual({ id: apiKey.id, name: 'robot' });
  for (const other of ['', 'tl_', `${secret}x`, secret.toUpperCase(), apiKey.id]) {
    expect(stand.apiKeys.authenticate(other)).toBeUndefined();
  }
  expect(await stand.apiKeys.revoke('robot')).toMatchObject({ id: apiKey.id });
  expect(stand.apiKeys.authenticate(secret)).toBeUndefined();
  expect(stand.apiKeys.list()).toEqual([]);
  await expect(stand.apiKeys.revoke(apiKey.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('the last use of a key is kept to the minute and stored later, so reads never write', async () => {
  using stand = await openStoreStand();
  const stored = () => stand.db.prepare('SELECT last_used_at AS at FROM api_key').get();
  const { secret } = await stand.apiKeys.create('robot');
  const lastUsedAt = async (time: number) => {
    await setImmediate();
    stand.clock.time = time;
    stand.apiKeys.authenticate(secret);
    return stand.apiKeys.list()[0]?.lastUsedAt;
  };
  const start = stand.clock.time;
  const seen: unknown[] = [];
  for (const after of [0, 59_999, 60_000, 119_999]) seen.push(await lastUsedAt(start + after));
  expect(seen).toEqual([start, start, start + 60_000, start + 60_000]);
  expect(stored()).toEqual({ at: null });
  stand.writer.flush();
  expect(stored()).toEqual({ at: start + 60_000 });
  // A wall clock that was ahead is corrected.
  expect(await lastUsedAt(start - 3_600_000)).toBe(start - 3_600_000);
});

test('keys work while the store cannot be written', async () => {
  using stand = await openStoreStand();
  const { secret } = await stand.apiKeys.create('robot');
  stand.db.exec('PRAGMA query_only = ON');
  expect(stand.apiKeys.authenticate(secret)).toMatchObject({ name: 'robot' });
});

test('random characters are evenly distributed: bytes beyond the last complete alphabet are skipped', () => {
  const bytes = [252, 255, 0, 35, 36, 251, 253, 1];
  expect(randomAlphanumerics(5, () => Uint8Array.from(bytes))).toBe('a9a9b');
  const counts = new Map<string, number>();
  for (const letter of randomAlphanumerics(72_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  // 2000 of each are expected; more than six standard deviations (44 each) is not chance.
  expect([...counts.values()].filter((count) => Math.abs(count - 2000) > 270)).toEqual([]);
  expect(counts.size).toBe(36);
});

test('listeners hear of keys that are created, used and revoked, and within a second of changes by another process', async () => {
  using folder = makeTestFolder();
  using stand = await openStoreStand({ folder: folder.path });
  const heard: string[][] = [];
  const told = createEventSource<void>();
  const off = stand.apiKeys.onChange(() => {
    heard.push(stand.apiKeys.list().map(({ name, lastUsedAt }) => `${name} ${lastUsedAt ?? 'never'}`));
    told.emit();
  });
  const { apiKey, secret } = await stand.apiKeys.create('robot');
  stand.apiKeys.authenticate(secret);
  await setImmediate();
  stand.apiKeys.authenticate(secret);
  await stand.apiKeys.revoke(apiKey.id);
  const at = stand.clock.time;
  expect(heard).toEqual([['robot never'], [`robot ${at}`], []]);

  const next = new Promise<void>((resolve) => told.on(resolve));
  const { db } = openDatabase(folder.path, createTestLog().log, { onDamage: 'refuse', busyTimeoutMs: 5_000 });
  // A write that changes no key, like a checkpoint.
  openSettingTable(db).set('a', '1');
  await sleep(1_500);
  expect(heard).toHaveLength(3);
  openApiKeyTable(db).insert({ id: 'id', name: 'from elsewhere', hash: Buffer.alloc(32), createdAt: at });
  db.close();
  await next;
  off();
  expect(heard.slice(3)).toEqual([['from elsewhere never']]);
});
