import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStream } from '../support/create-stream.ts';
import { runHost, startTestHost } from '../support/headless-host.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallylight-unit-'));
});
afterEach(() => {
  chmodSync(join(folder, 'credentials'), 0o700);
  rmSync(folder, { recursive: true, force: true });
});

/** What `LoadCredential=key:…` creates for a service: a folder and a file that the service can read and nobody can write. */
function loadCredential(text: string) {
  const credentials = join(folder, 'credentials');
  mkdirSync(credentials);
  writeFileSync(join(credentials, 'key'), text);
  chmodSync(join(credentials, 'key'), 0o440);
  chmodSync(credentials, 0o550);
  return { env: { CREDENTIALS_DIRECTORY: credentials }, secrets: ['--secrets', `file:${join(credentials, 'key')}`] };
}

describe.skipIf(process.platform === 'win32')('a systemd service', () => {
  test('has the same stream keys after a restart, with its credential', async () => {
    const { env, secrets } = loadCredential(`${randomBytes(32).toString('base64')}\n`);
    const started = { dataFolder: join(folder, 'data'), args: secrets, env };
    const first = await startTestHost(started);
    const { id, streamKey } = await createStream(first, { name: 'Sunday show', profiles: [] });
    const apiKey = await first.createApiKey();
    await first.close();
    await using again = await startTestHost(started);
    const answer = await fetch(`${again.ready.apiBaseUrl}/stream/${id}`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect(await answer.json()).toMatchObject({ streamKey });
  });

  test('reports in a sentence that its credential contains no key, or that others can read it', async () => {
    const { env, secrets } = loadCredential('');
    const start = () => runHost(['--data-dir', join(folder, 'data'), ...secrets, '--http-port', '0', '--rtmp-port', '0'], env);
    const sentence = (what: string) => new RegExp(`^Tallylight cannot start: The key file \\S*/credentials/key ${what}.*\\n$`);
    const empty = await start();
    expect(empty).toMatchObject({ exitCode: 1, stdout: '' });
    expect(empty.stderr).toMatch(sentence('does not contain a 256-bit key. "openssl rand -base64 32" prints one'));
    chmodSync(join(folder, 'credentials', 'key'), 0o444);
    expect((await start()).stderr).toMatch(sentence('can be read or written by other users \\(mode 444\\)'));
  });
});
