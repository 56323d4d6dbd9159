import { expect, test, vi } from 'vitest';
import type { SecretStore } from '../service/ports.ts';
import { ServiceError } from '../shared/errors.ts';
import { describeSecretsFault } from '../shared/words/secrets-words.ts';
import { startWithSecrets } from './start-with-secrets.ts';

const store = (kind: SecretStore['kind']): SecretStore => ({ kind, find: async () => undefined, set: async () => {} });
const keychain = store('os');
const memory = store('memory');

/** A start that succeeds, unless it needs the missing keychain. */
const startWithout = async ({ kind }: SecretStore) => {
  if (kind === 'os') throw new ServiceError('KEYCHAIN_UNAVAILABLE', 'No keyring answers.');
  return kind;
};

test('a working keychain is used without asking', async () => {
  const goOnWithout = vi.fn(async () => true);
  expect(await startWithSecrets({ start: async ({ kind }) => kind, secrets: keychain, memory, goOnWithout })).toBe('os');
  expect(goOnWithout).not.toHaveBeenCalled();
});

test('without a keychain it asks, and continues in memory if told to', async () => {
  const goOnWithout = vi.fn(async () => true);
  expect(await startWithSecrets({ start: startWithout, secrets: keychain, memory, goOnWithout })).toBe('memory');
  expect(goOnWithout.mock.calls).toEqual([[{ code: 'KEYCHAIN_UNAVAILABLE', sentence: 'No keyring answers.' }]]);
});

test("a fault's code becomes the app's words", async () => {
  const goOnWithout = vi.fn(async () => false);
  const secretsFault = { code: 'libsecret-missing' } as const;
  const start = async () => {
    throw new ServiceError('KEYCHAIN_UNAVAILABLE', 'not opened', { details: { secretsFault } });
  };
  await startWithSecrets({ start, secrets: keychain, memory, goOnWithout });
  const sentence = describeSecretsFault(secretsFault, 'app');
  expect(goOnWithout.mock.calls).toEqual([[{ code: 'KEYCHAIN_UNAVAILABLE', sentence }]]);
});

test('without the key that sealed the stream keys it also asks, since they would be lost', async () => {
  const goOnWithout = vi.fn(async () => false);
  const start = async () => {
    throw new ServiceError('MASTER_KEY_MISSING', 'The keychain is locked.');
  };
  expect(await startWithSecrets({ start, secrets: keychain, memory, goOnWithout })).toBeUndefined();
  expect(goOnWithout.mock.calls).toEqual([[{ code: 'MASTER_KEY_MISSING', sentence: 'The keychain is locked.' }]]);
});

test('a lost key is given up for a new one in the same keychain if told to', async () => {
  const goOnWithout = vi.fn(async () => true);
  const start = async ({ kind }: SecretStore, newKey: boolean) => {
    if (!newKey) throw new ServiceError('MASTER_KEY_MISSING', 'The key is missing.');
    return `new key in ${kind}`;
  };
  expect(await startWithSecrets({ start, secrets: keychain, memory, goOnWithout })).toBe('new key in os');
  expect(goOnWithout.mock.calls).toEqual([[{ code: 'MASTER_KEY_MISSING', sentence: 'The key is missing.' }]]);
});

test('if the keychain takes no new key either, it asks again before it continues in memory', async () => {
  const goOnWithout = vi.fn(async () => true);
  const start = async ({ kind }: SecretStore, newKey: boolean) => {
    if (!newKey) throw new ServiceError('MASTER_KEY_MISSING', 'The key cannot be read.');
    if (kind === 'os') throw new ServiceError('KEYCHAIN_UNAVAILABLE', 'No keyring answers.');
    return kind;
  };
  expect(await startWithSecrets({ start, secrets: keychain, memory, goOnWithout })).toBe('memory');
  expect(goOnWithout.mock.calls).toEqual([
    [{ code: 'MASTER_KEY_MISSING', sentence: 'The key cannot be read.' }],
    [{ code: 'KEYCHAIN_UNAVAILABLE', sentence: 'No keyring answers.' }],
  ]);
});

test('nothing starts if declined', async () => {
  expect(
    await startWithSecrets({ start: startWithout, secrets: keychain, memory, goOnWithout: async () => false }),
  ).toBeUndefined();
});

test('other failures are not asked about', async () => {
  const goOnWithout = vi.fn(async () => true);
  const failure = new ServiceError('PORT_IN_USE', 'Port 1935 is in use.');
  const start = async () => {
    throw failure;
  };
  await expect(startWithSecrets({ start, secrets: keychain, memory, goOnWithout })).rejects.toBe(failure);
  expect(goOnWithout).not.toHaveBeenCalled();
});
