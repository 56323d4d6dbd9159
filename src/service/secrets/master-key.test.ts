import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ServiceError } from '../../shared/errors.ts';
import type { SecretStore, SecretsLocation } from '../ports.ts';
import { openSealer } from './master-key.ts';
import { openMemorySecretStore } from './memory-secret-store.ts';

const whenLost = 'Find it.';

/** A store that keeps its entries, with these to begin with. */
function keep(location: { kind: 'os' } | { kind: 'file'; path: string }, entries: Record<string, string> = {}) {
  const set = vi.fn(async (name: string, value: string) => void Object.assign(entries, { [name]: value }));
  return { ...location, whenLost, find: async (name: string) => entries[name], set } satisfies SecretStore;
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

test.each([
  [undefined, 'The keychain does not keep its entries. Unlock it, then start again.'],
  ['', 'The keychain does not keep its entries. Unlock it, then start again.'],
  ['Or use a file.', 'The keychain does not keep its entries. Unlock it, then start again. Or use a file.'],
])('a keychain that does not keep its entries is refused, with what its host offers instead: %j', async (instead, message) => {
  const forgetful = {
    kind: 'os',
    whenLost: '',
    find: async () => undefined,
    set: async () => {},
    ...(instead !== undefined && { instead }),
  } satisfies SecretStore;
  await expect(openSealer(forgetful, 'folder')).rejects.toMatchObject({ code: 'KEYCHAIN_UNAVAILABLE', message });
});

test.each([
  ['is reported missing, as by a locked keyring', {}, 'a key that is missing'],
  ['is damaged', { 'master-key folder': 'not 32 bytes' }, 'a key that is missing'],
  ['was replaced by another one', newKey(), 'another key than the one found'],
])('a key in use that %s is not replaced', async (_how, entries: Record<string, string>, what) => {
  for (const secrets of [os(entries), file('/key', entries)]) {
    const location = secrets.kind === 'os' ? 'os' : 'file:/key';
    await expect(openSealer(secrets, 'folder', { sealedWith: { location, keyCheck: 'of another' } })).rejects.toMatchObject({
      code: 'MASTER_KEY_MISSING',
      message: `The stream keys of this data folder are encrypted with ${what}. Find it.`,
    });
    expect(secrets.set).not.toHaveBeenCalled();
  }
});

test('a keychain that had the key but does not answer counts as a missing key', async () => {
  const find = async () => {
    throw new ServiceError('KEYCHAIN_UNAVAILABLE', 'No D-Bus session runs. Or use a file.');
  };
  const gone: SecretStore = { kind: 'os', whenLost: 'Unlock it.', instead: 'Or use a file.', find, set: async () => {} };
  const sealedWith = { location: 'os', keyCheck: 'of the key there' };
  await expect(openSealer(gone, 'folder', { sealedWith })).rejects.toMatchObject({
    code: 'MASTER_KEY_MISSING',
    message:
      'The stream keys of this data folder are encrypted with a key that cannot be read. No D-Bus session runs. Unlock it.',
  });
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
  ['has no key', os(), 'os', 'a key in the keychain, and that key is missing. Find it.'],
  [
    'has another key',
    file('/old', newKey()),
    'file:/old',
    `a key in the file ${resolve('/old')}, and that key is missing. Find it.`,
  ],
  [
    'cannot be read',
    {
      ...os(),
      instead: 'Or use a file.',
      find: async () => Promise.reject(new ServiceError('KEYCHAIN_UNAVAILABLE', 'No D-Bus session runs. Or use a file.')),
    },
    'os',
    'a key in the keychain, and that key cannot be read. No D-Bus session runs. Find it.',
  ],
  [
    'is a file that an earlier version did not name',
    os(),
    'file',
    'a key in another file. Start with the secrets option that you used before.',
  ],
])('no key is replaced when the store before %s', async (_how, before: SecretStore, location, what) => {
  const now = file('/key');
  const options = { sealedWith: { location, keyCheck: 'of a lost key' }, openSecrets: () => before };
  await expect(openSealer(now, 'folder', options)).rejects.toMatchObject({
    code: 'MASTER_KEY_MISSING',
    message: `The stream keys of this data folder are encrypted with ${what}`,
  });
  expect(now.set).not.toHaveBeenCalled();
});

/** A keychain that fails in its own way, with the alternative that its host offers. */
const failing = (how: 'does not answer' | 'keeps nothing'): SecretStore => ({
  ...os(),
  instead: 'Or use memory.',
  set: async () => {},
  ...(how === 'does not answer' && {
    find: () => Promise.reject(new ServiceError('KEYCHAIN_UNAVAILABLE', 'No D-Bus session runs. Or use memory.')),
  }),
});
const forgetfulReason = 'The keychain does not keep its entries. Unlock it, then start again.';

test.each([
  ['does not answer', 'file:/key', 'No D-Bus session runs.'],
  ['keeps nothing', 'file:/key', forgetfulReason],
  ['does not answer', 'file', 'No D-Bus session runs.'],
] as const)('a keychain that %s does not make a key in another location (%s) replaceable', async (how, location, reason) => {
  const before = file('/key', newKey());
  const options = { sealedWith: { location, keyCheck: await checkOf(before) }, openSecrets: () => before };
  const [where, option] = location === 'file' ? ['another file', ''] : [`the file ${resolve('/key')}`, `: ${location}`];
  await expect(openSealer(failing(how), 'folder', options)).rejects.toMatchObject({
    code: 'MASTER_KEY_MISSING',
    message:
      `The stream keys of this data folder are encrypted with a key in ${where}, which cannot be moved to the keychain. ` +
      `${reason} Start with the secrets option that you used before${option}.`,
  });
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
