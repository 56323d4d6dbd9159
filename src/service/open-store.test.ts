import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestLog, makeTestFolder } from '../../test/support/store-stand.ts';
import type { MissingKeyFault } from '../shared/model/secrets-fault.ts';
import { createSystemClock } from './lib/system-clock.ts';
import { openStore } from './open-store.ts';
import type { SecretStore, SecretsLocation } from './ports.ts';
import { openFileSecretStore } from './secrets/file-secret-store.ts';
import { keychainError } from './secrets/secret-store-error.ts';
import type { LiveControl } from './streams/live-control.ts';

const { log } = createTestLog();
let folder: ReturnType<typeof makeTestFolder>;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder[Symbol.dispose]());

/** A keychain that finds nothing while it is locked, but still stores what it is given. */
function createKeychain() {
  const entries = new Map<string, string>();
  const keychain: SecretStore & { isLocked: boolean; entries: ReadonlyMap<string, string> } = {
    kind: 'os',
    isLocked: false,
    entries,
    find: async (name) => (keychain.isLocked ? undefined : entries.get(name)),
    findAll: async (prefix) =>
      keychain.isLocked ? [] : [...entries].filter(([name]) => name.startsWith(prefix)).map(([, value]) => value),
    set: async (name, value) => void entries.set(name, value),
  };
  return keychain;
}

/** Changes the closed store, as an earlier version or a damaged page would. */
function changeStore(statement: string): void {
  using db = new DatabaseSync(join(folder.path, 'tallylight.db'));
  db.exec(statement);
}

const open = (
  secrets: SecretStore,
  { openSecrets, newKey = false }: { openSecrets?: (location: SecretsLocation) => SecretStore; newKey?: boolean } = {},
) =>
  openStore(
    { dataFolder: folder.path, newKey },
    { secrets, clock: createSystemClock(), log },
    () => undefined as unknown as LiveControl,
    openSecrets,
  );

/** What is thrown for a key in use that is unavailable. */
const missing = (secretsFault: MissingKeyFault) =>
  expect.objectContaining({ code: 'MASTER_KEY_MISSING', details: { secretsFault } });
const silent = { code: 'keychain-silent', forMs: 60_000 } as const;
const fail = () => Promise.reject(keychainError(silent));

test('a locked keychain at a later start keeps its master key, and streams keep their keys', async () => {
  const keychain = createKeychain();
  const first = await open(keychain);
  const { id, streamKey } = await first.streams.create({ name: 'Sunday show' });
  await first.close();
  const before = new Map(keychain.entries);
  keychain.isLocked = true;
  await expect(open(keychain)).rejects.toEqual(missing({ code: 'key-missing', at: { kind: 'os' } }));
  expect(keychain.entries).toEqual(before);
  keychain.isLocked = false;
  const again = await open(keychain);
  expect([again.streams.revealKey(id), again.notices]).toEqual([streamKey, []]);
  await again.close();
});

test('a new key for a lost one stays in the keychain, so stream keys change once', async () => {
  const first = await open(createKeychain());
  const { id, streamKey } = await first.streams.create({ name: 'Sunday show' });
  await first.close();
  const ofOtherComputer = createKeychain();
  await expect(open(ofOtherComputer)).rejects.toMatchObject({ code: 'MASTER_KEY_MISSING' });
  const consented = await open(ofOtherComputer, { newKey: true });
  const given = consented.streams.revealKey(id);
  expect(given).not.toBe(streamKey);
  expect(consented.notices).toEqual([{ code: 'keys-replaced', streams: 1 }]);
  await consented.close();
  for (const newKey of [false, true]) {
    const again = await open(ofOtherComputer, { newKey });
    expect([again.streams.revealKey(id), again.notices]).toEqual([given, []]);
    await again.close();
  }
});

test('a new key never overwrites the one that a locked keychain hides', async () => {
  const keychain = createKeychain();
  const first = await open(keychain);
  const { id } = await first.streams.create({ name: 'Sunday show' });
  await first.close();
  const before = [...keychain.entries];
  keychain.isLocked = true;
  await expect(open(keychain, { newKey: true })).rejects.toMatchObject({ code: 'KEYCHAIN_UNAVAILABLE' });
  keychain.find = async (name) => (before.some(([known]) => known === name) ? undefined : keychain.entries.get(name));
  const consented = await open(keychain, { newKey: true });
  expect(consented.notices).toEqual([{ code: 'keys-replaced', streams: 1 }]);
  expect(consented.streams.revealKey(id)).toEqual(expect.any(String));
  await consented.close();
  expect([...keychain.entries]).toEqual(expect.arrayContaining(before));
});

test('a new key is made in the location chosen now, if the one before has lost the old one', async () => {
  const keychain = createKeychain();
  const first = await open(keychain);
  const { id } = await first.streams.create({ name: 'Sunday show' });
  await first.close();
  const inFile = openFileSecretStore(join(folder.path, 'key'), { credentialsFolder: undefined });
  const openSecrets = () => createKeychain();
  const consented = await open(inFile, { openSecrets, newKey: true });
  const given = consented.streams.revealKey(id);
  await consented.close();
  const again = await open(inFile, { openSecrets });
  expect([again.streams.revealKey(id), again.notices]).toEqual([given, []]);
  await again.close();
});

test('an option for a key file that was forgotten once, where no keychain answers, costs no stream key', async () => {
  const inFile = openFileSecretStore(join(folder.path, 'key'), { credentialsFolder: undefined });
  const first = await open(inFile);
  const { id, streamKey } = await first.streams.create({ name: 'Sunday show' });
  await first.close();
  const forgotten = open({ ...createKeychain(), find: fail });
  await expect(forgotten).rejects.toMatchObject({ code: 'MASTER_KEY_MISSING' });
  const again = await open(inFile);
  expect([again.streams.revealKey(id), again.notices]).toEqual([streamKey, []]);
  await again.close();
});

describe('a key file in use that was edited', () => {
  const openFile = (name: string) => openFileSecretStore(join(folder.path, name), { credentialsFolder: undefined });
  const at = (name: string) => ({ kind: 'file', path: join(folder.path, name) }) as const;
  const noKey = (name: string) => ({ code: 'file-without-key', path: join(folder.path, name) }) as const;

  test.each([
    [
      'is to be put back',
      () => openFile('key'),
      'key',
      () => missing({ code: 'key-missing', at: at('key'), because: noKey('key') }),
    ],
    [
      'cannot be moved from',
      () => createKeychain(),
      'key',
      () => missing({ code: 'earlier-key-missing', at: at('key'), because: noKey('key') }),
    ],
    [
      'cannot be moved to',
      () => openFile('copy'),
      'copy',
      () => missing({ code: 'key-immovable', from: at('key'), to: at('copy'), because: noKey('copy') }),
    ],
  ])('%s, and stays as it is', async (_what, chosen, edited, refusal) => {
    const first = await open(openFile('key'));
    await first.streams.create({ name: 'Sunday show' });
    await first.close();
    const key = readFileSync(join(folder.path, 'key'));
    writeFileSync(join(folder.path, edited), `${key}my notes\n`, { mode: 0o600 });
    await expect(open(chosen(), { openSecrets: () => openFile('key') })).rejects.toEqual(refusal());
    expect(readFileSync(join(folder.path, edited), 'utf8')).toBe(`${key}my notes\n`);
  });
});

test('a stream key that cannot be decrypted is replaced when read, and listeners get a notice', async () => {
  const keychain = createKeychain();
  const first = await open(keychain);
  const { id, streamKey } = await first.streams.create({ name: 'Sunday show' });
  await first.close();
  changeStore("UPDATE stream SET sealed_key = x'00'");
  const again = await open(keychain);
  const seen: unknown[] = [];
  const off = again.onNotice(() => seen.push(again.notices));
  expect(again.streams.revealKey(id)).not.toBe(streamKey);
  off();
  expect(seen).toEqual([[{ code: 'key-replaced', streamName: 'Sunday show' }]]);
  await again.close();
});

describe('a damaged store that has lost its settings, and with them which key is in use,', () => {
  const noKeychain = (): SecretStore => ({ ...createKeychain(), find: fail, findAll: fail, set: fail });
  const makeKeyFile = () => openFileSecretStore(join(folder.path, 'key'), { credentialsFolder: undefined });
  const loseSettings = async (secrets: SecretStore, which = '') => {
    const first = await open(secrets);
    const { id, streamKey } = await first.streams.create({ name: 'Sunday show' });
    await first.close();
    changeStore(`DELETE FROM setting ${which}`);
    return { id, streamKey };
  };

  test.each([
    ['finds that key by what it opens, in a key file', makeKeyFile, ''],
    ['finds that key by what it opens, in a keychain, among those of other folders', createKeychain, ''],
    ["finds that key in a keychain if it has lost only the folder's id", createKeychain, "WHERE name = 'dataFolderId'"],
  ])('%s', async (_what, make, which) => {
    const secrets = make();
    if (secrets.kind === 'os') await secrets.set('master-key other', randomBytes(32).toString('base64'));
    const { id, streamKey } = await loseSettings(secrets, which);
    for (let start = 0; start < 2; start += 1) {
      const again = await open(secrets);
      expect([again.streams.revealKey(id), again.notices]).toEqual([streamKey, []]);
      await again.close();
    }
  });

  test.each([
    ['the keychain does not have it', createKeychain, undefined],
    ['the keychain cannot be used', noKeychain, silent],
  ])('replaces no stream key if %s', async (_why, make, because) => {
    const { id, streamKey } = await loseSettings(makeKeyFile());
    const secrets = make();
    await expect(open(secrets)).rejects.toEqual(missing({ code: 'key-location-lost', at: { kind: 'os' }, because }));
    const again = await open(makeKeyFile());
    expect([again.streams.revealKey(id), again.notices]).toEqual([streamKey, []]);
    await again.close();
  });

  test('replaces no stream key if the key file was edited', async () => {
    await loseSettings(makeKeyFile());
    writeFileSync(join(folder.path, 'key'), 'my notes\n', { flag: 'a' });
    const path = join(folder.path, 'key');
    await expect(open(makeKeyFile())).rejects.toEqual(
      missing({ code: 'key-location-lost', at: { kind: 'file', path }, because: { code: 'file-without-key', path } }),
    );
  });

  test('gives all streams new keys if told to', async () => {
    const { id, streamKey } = await loseSettings(createKeychain());
    const consented = await open(createKeychain(), { newKey: true });
    expect(consented.streams.revealKey(id)).not.toBe(streamKey);
    expect(consented.notices).toEqual([{ code: 'keys-replaced', streams: 1 }]);
    await consented.close();
  });
});

test('new stream keys that were agreed to are not asked about again after a crash', async () => {
  const first = await open(createKeychain());
  const { id, streamKey } = await first.streams.create({ name: 'Sunday show' });
  await first.close();
  const keychain = createKeychain();
  changeStore("UPDATE setting SET value = '' WHERE name = 'masterKeyCheck'");
  const again = await open(keychain);
  expect(again.streams.revealKey(id)).not.toBe(streamKey);
  expect(again.notices).toEqual([{ code: 'keys-replaced', streams: 1 }]);
  await again.close();
});

test('stream keys and the API keys of remote services move with the user to another secret store, and back', async () => {
  const keychain = createKeychain();
  const keyFile = join(folder.path, 'key');
  const inFile = openFileSecretStore(keyFile, { credentialsFolder: undefined });
  const stores: Record<string, SecretStore> = { os: keychain, [`file:${keyFile}`]: inFile };
  const openSecrets = (location: SecretsLocation) =>
    stores[typeof location === 'object' ? `file:${location.file}` : location] ?? expect.unreachable(`${location}`);
  const openAt = (secrets: SecretStore) => open(secrets, { openSecrets });
  const first = await openAt(keychain);
  const { id, streamKey } = await first.streams.create({ name: 'Sunday show' });
  const service = { id: 'service', name: 'Team', baseUrl: 'https://live.example.com/api', pairs: [] };
  await first.remotes.add(service, 'tl_secret', () => {});
  await first.close();
  for (const secrets of [inFile, inFile, keychain, inFile]) {
    const moved = await openAt(secrets);
    expect(moved.streams.revealKey(id)).toBe(streamKey);
    expect(moved.streams.findByStreamKey(streamKey)).toMatchObject({ kind: 'found', stream: { id } });
    expect(moved.remotes.findKey(service.id, service.baseUrl)).toBe('tl_secret');
    expect(moved.notices).toEqual([]);
    await moved.close();
  }
  // Another key in its place is a mistake, and replaces nothing.
  const key = readFileSync(keyFile);
  writeFileSync(keyFile, `${Buffer.alloc(32, 1).toString('base64')}\n`);
  await expect(openAt(inFile)).rejects.toMatchObject({ code: 'MASTER_KEY_MISSING' });
  await expect(openAt(keychain)).rejects.toMatchObject({ code: 'MASTER_KEY_MISSING' });
  writeFileSync(keyFile, key);
  const again = await openAt(inFile);
  expect(again.streams.revealKey(id)).toBe(streamKey);
  await again.close();
});

test('every start says that a store was replaced, until the damaged file is gone', async () => {
  const keychain = createKeychain();
  writeFileSync(join(folder.path, 'tallylight.db'), 'not a database'.repeat(100));
  const noticesOf = async () => {
    const store = await open(keychain);
    await store.close();
    return store.notices;
  };
  const first = await noticesOf();
  expect(first).toEqual([{ code: 'store-replaced', setAside: expect.stringContaining('tallylight-damaged-') }]);
  expect(await noticesOf()).toEqual(first);
  for (const notice of first) if (notice.code === 'store-replaced') rmSync(notice.setAside);
  expect(await noticesOf()).toEqual([]);
});
