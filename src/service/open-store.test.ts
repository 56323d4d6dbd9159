import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestLog, makeTestFolder } from '../../test/support/store-stand.ts';
import { createSystemClock } from './lib/system-clock.ts';
import { openStore } from './open-store.ts';
import type { SecretStore } from './ports.ts';
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
    whenLost: 'Unlock the keychain.',
    isLocked: false,
    entries,
    find: async (name) => (keychain.isLocked ? undefined : entries.get(name)),
    set: async (name, value) => void entries.set(name, value),
  };
  return keychain;
}

const open = (secrets: SecretStore) =>
  openStore(folder.path, { secrets, clock: createSystemClock(), log }, () => undefined as unknown as LiveControl);

test('a locked keychain at a later start keeps its master key, and streams keep their keys', async () => {
  const keychain = createKeychain();
  const first = await open(keychain);
  const { id, streamKey } = await first.streams.create({ name: 'Sunday show' });
  await first.close();
  const before = new Map(keychain.entries);
  keychain.isLocked = true;
  await expect(open(keychain)).rejects.toMatchObject({
    code: 'MASTER_KEY_MISSING',
    message: 'The stream keys of this data folder are encrypted with a key that is missing. Unlock the keychain.',
  });
  expect(keychain.entries).toEqual(before);
  keychain.isLocked = false;
  const again = await open(keychain);
  expect([again.streams.revealKey(id), again.notices]).toEqual([streamKey, []]);
  await again.close();
});
