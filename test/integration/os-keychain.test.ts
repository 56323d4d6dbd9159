import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openSealer } from '../../src/service/secrets/master-key.ts';
import { openOsSecretStore } from '../../src/service/secrets/os-secret-store.ts';
import { startTestKeyring } from '../../src/tools/test-keyring.ts';
import { createStream } from '../support/create-stream.ts';
import { runHost, startTestHost } from '../support/headless-host.ts';
import { makeTestFolder, openStoreStand } from '../support/store-stand.ts';

beforeEach(() => {
  if (process.platform === 'linux' && process.env.TALLYLIGHT_TEST_KEYRING !== '1') {
    throw new Error('These tests need their own writable keyring: run them with `npm test`, which starts one.');
  }
});

test('the OS keychain keeps what it is given', async () => {
  const secrets = openOsSecretStore();
  const name = `test ${randomUUID()}`;
  expect(await secrets.find(name)).toBeUndefined();
  await secrets.set(name, 'first');
  await secrets.set(name, 'zweites: ü');
  expect(await openOsSecretStore().find(name)).toBe('zweites: ü');
  await secrets.set(`${name}, another`, 'third');
  const all = await secrets.findAll?.(name);
  expect(all && new Set(all)).toEqual(process.platform === 'linux' ? undefined : new Set(['zweites: ü', 'third']));
});

test('stream keys sealed with an OS keychain master key open in the next process, those of another folder do not', async () => {
  using folder = makeTestFolder();
  const create = async () => {
    using stand = await openStoreStand({ folder: folder.path, secrets: openOsSecretStore() });
    return await stand.streams.create({ name: 'Sunday show' });
  };
  const { id, streamKey } = await create();
  using again = await openStoreStand({ folder: folder.path, secrets: openOsSecretStore() });
  expect(again.streams.notices).toEqual([]);
  expect(again.streams.revealKey(id)).toBe(streamKey);

  const { sealer: one } = await openSealer(openOsSecretStore(), randomUUID());
  const { sealer: other } = await openSealer(openOsSecretStore(), randomUUID());
  expect(other.open(one.seal('text', 'id'), 'id')).toBeUndefined();
});

test.runIf(process.platform === 'linux')(
  'a locked keyring loses nothing: the start is refused in one sentence, and works once it is unlocked',
  async () => {
    using folder = makeTestFolder();
    const keyring = await startTestKeyring();
    try {
      const started = { dataFolder: folder.path, args: ['--secrets', 'os'], env: keyring.env };
      const first = await startTestHost(started);
      const { id, streamKey } = await createStream(first, { name: 'Sunday show', profiles: [] });
      const apiKey = await first.createApiKey();
      await first.close();
      const sealed = readFileSync(join(folder.path, 'tallylight.db'));

      await keyring.lock();
      for (let start = 0; start < 2; start += 1) {
        const ports = ['--http-port', '0', '--rtmp-port', '0'];
        const refused = await runHost(['--data-dir', folder.path, '--secrets', 'os', ...ports], keyring.env);
        expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
        expect(refused.stderr).toMatch(/^Tallylight cannot start: .*encrypted with a key that is missing.*\n$/);
        expect(refused.stderr).toContain('Unlock the keychain');
      }
      expect(readFileSync(join(folder.path, 'tallylight.db')).equals(sealed)).toBe(true);

      await keyring.unlock();
      await using again = await startTestHost(started);
      const answer = await fetch(`${again.ready.apiBaseUrl}/stream/${id}`, { headers: { authorization: `Bearer ${apiKey}` } });
      expect(await answer.json()).toMatchObject({ id, streamKey });
    } finally {
      await keyring.close();
    }
  },
);

test.runIf(process.platform === 'linux')(
  'the keyring of the tests is waited for if it starts late, as on a busy computer',
  async () => {
    using folder = makeTestFolder();
    const name = 'gnome-keyring-daemon';
    await writeFile(join(folder.path, name), `#!/bin/sh\nsleep 1\nPATH=\${PATH#*:} exec ${name} "$@"\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${folder.path}:${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    await (await startTestKeyring()).close();
  },
);
