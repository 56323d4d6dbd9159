import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { openOsSecretStore } from '../../src/service/secrets/os-secret-store.ts';
import { openSealer } from '../../src/service/secrets/sealer.ts';
import { makeTestFolder, openStoreStand } from '../support/store-stand.ts';

beforeEach(() => {
  if (process.platform === 'linux' && process.env.TALLYLIGHT_TEST_KEYRING !== '1') {
    throw new Error('These tests need a keyring of their own to write to: run them with `npm test`, which starts one.');
  }
});

test('the OS keychain keeps what it is given', async () => {
  const secrets = openOsSecretStore();
  const name = `test ${randomUUID()}`;
  expect(await secrets.find(name)).toBeUndefined();
  await secrets.set(name, 'first');
  await secrets.set(name, 'zweites: ü');
  expect(await openOsSecretStore().find(name)).toBe('zweites: ü');
});

test('stream keys sealed with a master key of the OS keychain open in the next process, those of another folder do not', async () => {
  using folder = makeTestFolder();
  const create = async () => {
    using stand = await openStoreStand({ folder: folder.path, secrets: openOsSecretStore() });
    return await stand.streams.create({ name: 'Sunday show' });
  };
  const { id, streamKey } = await create();
  using again = await openStoreStand({ folder: folder.path, secrets: openOsSecretStore() });
  expect(again.streams.notices).toEqual([]);
  expect(again.streams.revealKey(id)).toBe(streamKey);

  const one = await openSealer(openOsSecretStore(), randomUUID());
  const other = await openSealer(openOsSecretStore(), randomUUID());
  expect(other.open(one.seal('text', 'id'), 'id')).toBeUndefined();
});
