import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { anyText } from '../../../test/support/any-text.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { SecretStore } from '../ports.ts';
import { openMemorySecretStore } from './memory-secret-store.ts';
import { openSealer } from './sealer.ts';

test('sealed text opens only for its owner and with the same master key', async () => {
  const secrets = openMemorySecretStore();
  const sealer = await openSealer(secrets, 'folder');
  const sealed = sealer.seal('abcd-efgh', 'stream-1');
  expect(sealer.open(sealed, 'stream-1')).toBe('abcd-efgh');
  expect(sealer.open(sealed, 'stream-2')).toBeUndefined();
  expect((await openSealer(secrets, 'folder')).open(sealed, 'stream-1')).toBe('abcd-efgh');
  expect((await openSealer(secrets, 'other folder')).open(sealed, 'stream-1')).toBeUndefined();
  expect((await openSealer(openMemorySecretStore(), 'folder')).open(sealed, 'stream-1')).toBeUndefined();
});

test('any text opens unchanged, and sealing it twice gives different bytes', async () => {
  const sealer = await openSealer(openMemorySecretStore(), 'folder');
  fc.assert(
    fc.property(anyText(), fc.string(), (text, owner) => {
      const [one, two] = [sealer.seal(text, owner), sealer.seal(text, owner)];
      expect(sealer.open(one, owner)).toBe(text);
      expect(one.equals(two)).toBe(false);
    }),
  );
});

test('sealed text that was modified, truncated or forged does not open', async () => {
  const sealer = await openSealer(openMemorySecretStore(), 'folder');
  const sealed = sealer.seal('abcd-efgh', 'stream-1');
  for (let index = 0; index < sealed.length; index++) {
    const tampered = Buffer.from(sealed);
    tampered[index]! ^= 1;
    expect(sealer.open(tampered, 'stream-1')).toBeUndefined();
    expect(sealer.open(sealed.subarray(0, index), 'stream-1')).toBeUndefined();
  }
  fc.assert(fc.property(fc.uint8Array(), (bytes) => sealer.open(bytes, 'stream-1') === undefined));
});

test('the keyed hash depends only on the secret and the master key', async () => {
  const secrets = openMemorySecretStore();
  const sealer = await openSealer(secrets, 'folder');
  const other = await openSealer(secrets, 'other folder');
  expect(sealer.hash('a')).toEqual((await openSealer(secrets, 'folder')).hash('a'));
  expect(sealer.hash('a')).not.toEqual(sealer.hash('b'));
  expect(sealer.hash('a')).not.toEqual(other.hash('a'));
  expect(sealer.keyCheck).not.toBe(other.keyCheck);
});

test("a damaged master key is replaced, and folders do not overwrite each other's key", async () => {
  const secrets = openMemorySecretStore();
  const one = await openSealer(secrets, 'one');
  await secrets.set('master-key two', 'not 32 bytes');
  const two = await openSealer(secrets, 'two');
  expect((await openSealer(secrets, 'one')).keyCheck).toBe(one.keyCheck);
  expect((await openSealer(secrets, 'two')).keyCheck).toBe(two.keyCheck);
});

test('a keychain that does not keep its entries is refused', async () => {
  const forgetful: SecretStore = { kind: 'os', whenLost: '', find: async () => undefined, set: async () => {} };
  await expect(openSealer(forgetful, 'folder')).rejects.toMatchObject({
    code: 'KEYCHAIN_UNAVAILABLE',
    message: 'The keychain does not keep its entries. Unlock it, or start with --secrets memory.',
  });
});

test.each([
  ['is reported missing, as by a locked keyring', async () => undefined],
  ['is damaged', async () => 'not 32 bytes'],
])('an expected key that %s is not replaced', async (_how, find) => {
  const set = vi.fn(async () => {});
  const locked: SecretStore = { kind: 'os', whenLost: 'Unlock the keychain.', find, set };
  await expect(openSealer(locked, 'folder', { isExpected: true })).rejects.toMatchObject({
    code: 'MASTER_KEY_MISSING',
    message: 'The stream keys of this data folder are encrypted with a key that is missing. Unlock the keychain.',
  });
  expect(set).not.toHaveBeenCalled();
});

test('a keychain that had the key but does not answer counts as a missing key', async () => {
  const find = async () => {
    throw new ServiceError('KEYCHAIN_UNAVAILABLE', 'No D-Bus session runs. Or use a file.');
  };
  const gone: SecretStore = { kind: 'os', whenLost: 'Unlock it.', instead: 'Or use a file.', find, set: async () => {} };
  await expect(openSealer(gone, 'folder', { isExpected: true })).rejects.toMatchObject({
    code: 'MASTER_KEY_MISSING',
    message:
      'The stream keys of this data folder are encrypted with a key that cannot be read. No D-Bus session runs. Unlock it.',
  });
  await expect(openSealer(gone, 'folder')).rejects.toMatchObject({ code: 'KEYCHAIN_UNAVAILABLE' });
});
