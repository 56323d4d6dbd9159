import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { KeyLocation, MissingKeyFault } from '../../shared/model/secrets-fault.ts';
import type { SecretStore, SecretsLocation } from '../ports.ts';
import { openSealer } from './master-key.ts';
import { openMemorySecretStore } from './memory-secret-store.ts';
import { keychainError } from './secret-store-error.ts';

/** A store that keeps its entries, with these to begin with. */
function keep(location: { kind: 'os' } | { kind: 'file'; path: string }, entries: Record<string, string> = {}) {
  const set = vi.fn(async (name: string, value: string) => void Object.assign(entries, { [name]: value }));
  return { ...location, find: async (name: string) => entries[name], set } satisfies SecretStore;
}

const os = (entries?: Record<string, string>) => keep({ kind: 'os' }, entries);
const file = (path: string, entries?: Record<string, string>) => keep({ kind: 'file', path }, entries);
const newKey = () => ({ 'master-key folder': randomBytes(32).toString('base64') });
const checkOf = async (secrets: SecretStore) => (await openSealer(secrets, 'folder')).sealer.keyCheck;

test("each folder has its own key, and a damaged one is replaced in memory, without overwriting another folder's", async () => {
  const secrets = openMemorySecretStore();
  const { sealer: one } = await openSealer(secrets, 'one');
  await secrets.set('master-key two', 'not 32 bytes');
  const { sealer: two } = await openSealer(secrets, 'two');
  expect(one.keyCheck).not.toBe(two.keyCheck);
  expect((await openSealer(secrets, 'one')).sealer.keyCheck).toBe(one.keyCheck);
  expect((await openSealer(secrets, 'two')).sealer.keyCheck).toBe(two.keyCheck);
});

test('a keychain that does not keep its entries is refused', async () => {
  const forgetful = { kind: 'os', find: async () => undefined, set: async () => {} } satisfies SecretStore;
  await expect(openSealer(forgetful, 'folder')).rejects.toMatchObject({
    code: 'KEYCHAIN_UNAVAILABLE',
    details: { secretsFault: { code: 'entry-not-kept' } },
  });
});

/** What is thrown for a key in use that is unavailable. */
const missing = (secretsFault: MissingKeyFault) =>
  expect.objectContaining({ code: 'MASTER_KEY_MISSING', details: { secretsFault } });
const silent = { code: 'keychain-silent', forMs: 60_000 } as const;
const failToFind = () => Promise.reject(keychainError(silent));

test.each([
  ['is reported missing, as by a locked keyring', {}, 'key-missing'],
  ['is damaged', { 'master-key folder': 'not 32 bytes' }, 'key-missing'],
  ['was replaced by another one', newKey(), 'key-replaced'],
] as const)('a key in use that %s is not replaced', async (_how, entries: Record<string, string>, code) => {
  for (const secrets of [os(entries), file('/key', entries)]) {
    const location = secrets.kind === 'os' ? 'os' : 'file:/key';
    const opened = openSealer(secrets, 'folder', { sealedWith: { location, keyCheck: 'of another' } });
    const at: KeyLocation = secrets.kind === 'os' ? { kind: 'os' } : { kind: 'file', path: '/key' };
    await expect(opened).rejects.toEqual(missing({ code, at }));
    expect(secrets.set).not.toHaveBeenCalled();
  }
});

test('a keychain that had the key but does not answer counts as a missing key', async () => {
  const gone: SecretStore = { kind: 'os', find: failToFind, set: async () => {} };
  const sealedWith = { location: 'os', keyCheck: 'of the key there' };
  await expect(openSealer(gone, 'folder', { sealedWith })).rejects.toEqual(
    missing({ code: 'key-missing', at: { kind: 'os' }, because: silent }),
  );
  await expect(openSealer(gone, 'folder')).rejects.toMatchObject({ code: 'KEYCHAIN_UNAVAILABLE' });
});

test.each(['a new key', 'a key of its own'])('another store takes over from the one before, with %s', async (which) => {
  const before = os(newKey());
  const keyCheck = await checkOf(before);
  const asked: SecretsLocation[] = [];
  const openSecrets = (location: SecretsLocation) => {
    asked.push(location);
    return before;
  };
  const now = file('/key', which === 'a new key' ? {} : newKey());
  const { sealer, earlier } = await openSealer(now, 'folder', { sealedWith: { location: 'os', keyCheck }, openSecrets });
  expect(asked).toEqual(['os']);
  expect(earlier?.keyCheck).toBe(keyCheck);
  expect(sealer.keyCheck).toBe(await checkOf(now));
  expect(sealer.keyCheck).not.toBe(keyCheck);
  expect(now.set).toHaveBeenCalledTimes(which === 'a new key' ? 1 : 0);
});

test.each(['file', 'file:/elsewhere', 'os'])(
  'the key in use is at home in any store that has it (before: %s)',
  async (location) => {
    const now = file('/key', newKey());
    const keyCheck = await checkOf(now);
    const openSecrets = () => expect.unreachable('the store before is not needed');
    expect(await openSealer(now, 'folder', { sealedWith: { location, keyCheck }, openSecrets })).toEqual({
      sealer: expect.objectContaining({ keyCheck }),
    });
  },
);

test.each([
  ['has no key', os(), 'os', { code: 'earlier-key-missing', at: { kind: 'os' } }],
  ['has another key', file('/old', newKey()), 'file:/old', { code: 'earlier-key-missing', at: { kind: 'file', path: '/old' } }],
  ['cannot be read', { ...os(), find: failToFind }, 'os', { code: 'earlier-key-missing', at: { kind: 'os' }, because: silent }],
  ['is a file that an earlier version did not name', os(), 'file', { code: 'earlier-key-unnamed' }],
] as const)('no key is replaced when the store before %s', async (_how, before: SecretStore, location, fault) => {
  const now = file('/key');
  const options = { sealedWith: { location, keyCheck: 'of a lost key' }, openSecrets: () => before };
  await expect(openSealer(now, 'folder', options)).rejects.toEqual(missing(fault));
  expect(now.set).not.toHaveBeenCalled();
});

/** A keychain that fails in its own way. */
const failing = (how: 'does not answer' | 'keeps nothing'): SecretStore => ({
  ...os(),
  set: async () => {},
  ...(how === 'does not answer' && { find: failToFind }),
});

test.each([
  ['does not answer', 'file:/key', silent],
  ['keeps nothing', 'file:/key', { code: 'entry-not-kept' }],
  ['does not answer', 'file', silent],
] as const)('a keychain that %s does not make a key in another location (%s) replaceable', async (how, location, because) => {
  const before = file('/key', newKey());
  const options = { sealedWith: { location, keyCheck: await checkOf(before) }, openSecrets: () => before };
  const from = location === 'file' ? undefined : ({ kind: 'file', path: resolve('/key') } as const);
  await expect(openSealer(failing(how), 'folder', options)).rejects.toEqual(
    missing({ code: 'key-immovable', from, to: { kind: 'os' }, because }),
  );
  expect(before.set).not.toHaveBeenCalled();
});

test('memory gives the key up, and another store follows memory without it', async () => {
  const memory = openMemorySecretStore();
  const lost = { sealedWith: { location: 'os', keyCheck: 'of a lost key' } };
  expect(await openSealer(memory, 'folder', lost)).toEqual({
    sealer: expect.objectContaining({ keyCheck: await checkOf(memory) }),
  });
  const next = os();
  const sealedWith = { location: 'memory', keyCheck: await checkOf(memory) };
  const { sealer, earlier } = await openSealer(next, 'folder', { sealedWith });
  expect([sealer.keyCheck, earlier]).toEqual([await checkOf(next), undefined]);
});

test('a key whose record is lost is the one that opens any sealed secret, and is kept under the name of the folder', async () => {
  const [own, other] = [newKey(), newKey()].map((entry) => entry['master-key folder']);
  const { sealer } = await openSealer(os({ 'master-key folder': own as string }), 'folder');
  const sealed = [
    { bytes: Buffer.from('damaged'), owner: 'show' },
    { bytes: sealer.seal('key', 'talk'), owner: 'talk' },
  ];
  const entries: Record<string, string> = { 'master-key other': other as string, 'master-key lost': own as string };
  const keychain = { ...os(entries), findAll: async () => Object.values(entries) };
  const opened = await openSealer(keychain, 'folder', { sealed });
  expect([opened.sealer.keyCheck, entries['master-key folder']]).toEqual([sealer.keyCheck, own]);

  // Another key under that name opens nothing.
  const edited = file('/key', newKey());
  await expect(openSealer(edited, 'folder', { sealed })).rejects.toEqual(
    missing({ code: 'key-location-lost', at: { kind: 'file', path: '/key' } }),
  );
  expect(edited.set).not.toHaveBeenCalled();
});
