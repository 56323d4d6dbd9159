import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startRtmpPublisher } from '../../src/service/rtmp/rtmp-client.ts';
import { testSource } from '../../src/shared/model/source.ts';
import { findProcesses } from '../support/find-processes.ts';
import { readEightSeconds } from '../support/flv-fixture.ts';
import { startTestHost } from '../support/headless-host.ts';
import { openHostContract } from '../support/host-contract.ts';
import { lightEncode } from '../support/light-encode.ts';
import { sendTag } from '../support/tag-role.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Every file below a folder, as bytes. */
async function readTree(folder: string): Promise<{ path: string; bytes: Buffer }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  // A temporary file may be gone by now.
  const read = async (path: string) => ({ path, bytes: await readFile(path).catch(() => undefined) });
  const found = await Promise.all(files.map(read));
  return found.flatMap(({ path, bytes }) => (bytes === undefined ? [] : [{ path, bytes }]));
}

test('no key or token appears in the data folder, the log, the output or any command line, after successes and failures', async () => {
  await using host = await startTestHost();
  using contract = await openHostContract(host.ready.uiUrl);
  const { app } = contract;
  const apiKey = await host.createApiKey('secrecy');
  const call = (method: string, path: string, key: string, body?: string) =>
    fetch(`${host.ready.apiBaseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    });
  const stream = await (await call('POST', '/stream', apiKey, '{"name":"Secrecy"}')).json();
  const { streamKey, id } = stream as { streamKey: string; id: string };
  const wrongApiKey = `${apiKey.slice(0, -4)}zzzz`;
  const wrongStreamKey = 'zzzz-yyyy-xxxx-wwww';
  const publish = (key: string) =>
    startRtmpPublisher({
      url: host.ready.ingestBaseUrl,
      streamKey: key,
      signal: new AbortController().signal,
    });

  // Failures: wrong keys, a malformed body that contains a key, an unknown path with a key, a second use of the token.
  expect((await call('GET', '/stream', wrongApiKey)).status).toBe(401);
  expect((await call('POST', '/stream', apiKey, `{"name":"${streamKey}`)).status).toBe(400);
  expect((await call('POST', '/stream', apiKey, JSON.stringify({ name: 'x', streamKey }))).status).toBe(422);
  expect((await call('GET', `/stream/${streamKey}?key=${apiKey}`, apiKey)).status).toBe(404);
  expect((await fetch(host.ready.uiUrl, { redirect: 'manual' })).status).toBe(403);
  await expect(publish(wrongStreamKey)).rejects.toThrow('Unknown stream key.');
  // Successes: a publish, a takeover by one click, and a stop.
  const publisher = await publish(streamKey);
  for (const tag of readEightSeconds()) sendTag(publisher, tag);
  await waitUntil(await app.stream.watch({ streamId: id }), ({ stream: { isActive } }) => isActive);
  await app.broadcast.goLive({ streamId: id, source: testSource, encode: lightEncode });
  await publisher.closed;
  await waitUntil(await app.stream.watch({ streamId: id }), ({ oneClick }) => oneClick.kind === 'running');

  // The key of a remote service, which is this one.
  const remote = { name: 'Itself', baseUrl: host.ready.apiBaseUrl };
  await expect(app.remoteService.add({ ...remote, apiKey: wrongApiKey })).rejects.toThrow('refused the API key');
  const { id: serviceId } = await app.remoteService.add({ ...remote, apiKey });
  const listed = await waitUntil(await app.stream.watchAll({ serviceId }), () => true);
  expect(JSON.stringify([listed, await waitUntil(await app.remoteService.watchAll(), () => true)])).not.toContain(apiKey);

  const cookieAndToken = new URL(host.ready.uiUrl).searchParams.get('token') as string;
  const secrets = { streamKey, wrongStreamKey, apiKey, wrongApiKey };
  const commandLines = (await findProcesses()).map(({ pid, words }) => ({
    path: `process ${pid}`,
    bytes: Buffer.from(words.join(' ')),
  }));
  await app.broadcast.stop({ streamId: id });
  const output = host.lines.slice(1).map((line, index) => ({ path: `output line ${index + 1}`, bytes: Buffer.from(line) }));
  const files = await readTree(host.dataFolder);
  expect(files.map(({ path }) => path)).toContain(join(host.dataFolder, 'tallylight.db'));
  expect(files.some(({ path }) => path.includes('log'))).toBe(true);
  const leaks = [...files, ...commandLines, ...output].flatMap(({ path, bytes }) =>
    Object.entries({ ...secrets, token: cookieAndToken }).flatMap(([name, secret]) =>
      bytes.includes(secret) ? [`${name} in ${path}`] : [],
    ),
  );
  expect(leaks).toEqual([]);
});
