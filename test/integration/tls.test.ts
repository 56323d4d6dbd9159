import dns from 'node:dns';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { runHost, runTallylight, startTestHost, type TestHost } from '../support/headless-host.ts';
import { createStream, openHostContract, readSession } from '../support/host-contract.ts';
import { sendRequest, sendUpgrade } from '../support/http-request.ts';
import { startTestService } from '../support/test-service.ts';
import { makeTlsFiles, type TestPair, tlsAuthority, tlsPaths } from '../support/tls-fixtures.ts';
import { waitUntil } from '../support/wait-until.ts';

let host: TestHost;
const { certificatePath, keyPath } = tlsPaths('first');
beforeAll(async () => {
  host = await startTestHost({
    args: ['--tls-cert', certificatePath],
    env: { TALLYLIGHT_TLS_KEY: keyPath, TALLYLIGHT_REGION: 'fra', TALLYLIGHT_SERVICE_DOMAIN: 'live.example.com' },
  });
});
afterAll(() => host.close());

const get = (url: string, pair: TestPair = 'first') => sendRequest(url, { ca: tlsAuthority(pair) });

test('with a certificate, the service domain has HTTPS and RTMPS URLs, and this computer plain ones', async () => {
  const { port } = new URL(host.ready.apiBaseUrl);
  const { localIngestBaseUrl, localPlaybackBaseUrl } = host.ready as unknown as Record<string, string>;
  expect(localPlaybackBaseUrl).toBe(`http://127.0.0.1:${port}/hls`);
  const ingest = `rtmps://fra-rtmp.live.example.com:${new URL(localIngestBaseUrl as string).port}/live`;
  const base = `https://fra-cdn.live.example.com:${port}`;
  expect(host.ready).toMatchObject({ ingestBaseUrl: ingest, playbackBaseUrl: `${base}/hls` });
  const pairs = await get(`https://127.0.0.1:${port}/api/ingest?first=false`);
  expect(JSON.parse(pairs.body)).toEqual([{ ingest, playback: `${base}/hls`, base }]);
});

test('the screens and their socket work over HTTPS, with a cookie that only HTTPS carries', async () => {
  const url = new URL(host.ready.uiUrl);
  url.protocol = 'https:';
  const opened = await get(url.href);
  expect(opened.status).toBe(200);
  expect(String(opened.headers['set-cookie'])).toMatch(/; Secure$/);
  const { cookie, protocols } = readSession(opened);
  const upgrade = (origin: string) =>
    sendUpgrade(
      `${url.origin}/contract`,
      { cookie, origin, 'Sec-WebSocket-Protocol': protocols.join(', ') },
      tlsAuthority('first'),
    );
  expect(await upgrade(url.origin)).toMatchObject({ status: 101 });
  expect(await upgrade(url.origin.replace('https', 'http'))).toMatchObject({ status: 403 });
});

test("the screens and their socket work under the service domain's name of this region, and no other", async () => {
  const { stdout } = await runTallylight(['address', '--data-dir', host.dataFolder]);
  const url = new URL(stdout.trim());
  url.protocol = 'https:';
  const named = (name: string) => ({ Host: `${name}:${url.port}` });
  const open = (headers: Record<string, string>) => sendRequest(url.href, { headers, ca: tlsAuthority('first') });
  expect(await open(named('jfk-cdn.live.example.com'))).toMatchObject({ status: 403 });
  expect(await open({ Host: 'fra-cdn.live.example.com' })).toMatchObject({ status: 403 });
  const opened = await open(named('fra-cdn.live.example.com'));
  expect(opened.status).toBe(200);
  const { cookie, protocols } = readSession(opened);
  const upgrade = (origin: string) =>
    sendUpgrade(
      `${url.origin}/contract`,
      {
        ...named('fra-cdn.live.example.com'),
        cookie,
        origin,
        'Sec-WebSocket-Protocol': protocols.join(', '),
      },
      tlsAuthority('first'),
    );
  expect(await upgrade(`https://fra-cdn.live.example.com:${url.port}`)).toMatchObject({ status: 101 });
  expect(await upgrade(url.origin)).toMatchObject({ status: 403 });
});

test('ffmpeg publishes over RTMPS, HTTPS plays it, and renewed files are taken without a cut', async () => {
  const disk = makeTlsFiles();
  await using test = await startTestService({ tls: disk.paths, tlsCheckMs: 20, awaitEncoders: false });
  const { id, playbackId, streamKey } = await createStream(test.app, { name: 'Encrypted' });
  await using publisher = startFfmpegPublisher(`rtmps://127.0.0.1:${test.urls.rtmpPort}/live/${streamKey}`);
  const lives = await test.app.stream.watch({ streamId: id });
  await waitUntil(lives, ({ stream }) => stream.isActive);
  const playlistUrl = `https://127.0.0.1:${test.urls.httpPort}/hls/${playbackId}/index.m3u8`;
  expect(await get(playlistUrl)).toMatchObject({ status: 200, body: expect.stringMatching(/^#EXTM3U/) });

  const hasNotice = (notices: readonly { code: string }[]) => notices.some(({ code }) => code === 'tls-not-renewed');
  disk.renewCertificate('renewed');
  await waitUntil(await test.app.service.watch(), ({ notices }) => hasNotice(notices));
  expect((await get(playlistUrl)).status).toBe(200);
  disk.renewKey('renewed');
  await waitUntil(await test.app.service.watch(), ({ notices }) => !hasNotice(notices));
  expect((await get(playlistUrl, 'renewed')).status).toBe(200);
  await expect(get(playlistUrl)).rejects.toThrow(/certificate/);

  const { session } = await waitUntil(await test.app.stream.watch({ streamId: id }), () => true);
  await waitUntil(
    await test.app.stream.watch({ streamId: id }),
    (live) => (live.session?.sourceSegments ?? 0) > (session?.sourceSegments ?? 0) + 1,
  );
  expect((await test.app.session.list({ streamId: id })).length).toBe(1);
  expect(await publisher.quit()).toMatchObject({ stderr: '' });
  rmSync(disk.folder, { recursive: true });
});

test('files saved in Settings are checked, hold from the next start on, and never keep it from starting', async () => {
  const disk = makeTlsFiles();
  const dataFolder = join(disk.folder, 'data');
  const first = await startTestHost({ dataFolder });
  {
    using page = await openHostContract(first.ready.uiUrl);
    const { update } = page.app.settings;
    await expect(update({ tlsCertificatePath: certificatePath })).rejects.toMatchObject({
      code: 'TLS_UNUSABLE',
      message: 'TLS needs a certificate and its key, but no key is set.',
    });
    const wrongKey = tlsPaths('renewed').keyPath;
    await expect(update({ tlsCertificatePath: certificatePath, tlsKeyPath: wrongKey })).rejects.toMatchObject({
      message: `The TLS key ${wrongKey} doesn't belong to the certificate ${certificatePath}.`,
    });
    await update({ tlsCertificatePath: disk.paths.certificatePath, tlsKeyPath: disk.paths.keyPath });
  }
  await first.close();

  const second = await startTestHost({ dataFolder });
  expect((await get(second.ready.apiBaseUrl.replace('http:', 'https:').replace('/api', '/healthz'))).status).toBe(200);
  await second.close();

  rmSync(disk.paths.keyPath);
  await using third = await startTestHost({ dataFolder });
  const sentences = await Promise.all([third.getEvent('notice'), third.getEvent('notice', 1)]);
  expect(sentences.map(({ sentence }) => sentence)).toContain(
    `The TLS key ${disk.paths.keyPath} cannot be read (ENOENT). Until the next start with usable files, there is no HTTPS and no RTMPS.`,
  );
  expect((await sendRequest(third.ready.apiBaseUrl.replace('/api', '/healthz'))).status).toBe(200);
  await third.close();
  rmSync(disk.folder, { recursive: true });
});

test.each([
  [
    'the key of another certificate',
    ['--tls-cert', certificatePath, '--tls-key', tlsPaths('renewed').keyPath],
    `Tallylight cannot start: The TLS key ${tlsPaths('renewed').keyPath} doesn't belong to the certificate ${certificatePath}.\n`,
  ],
  [
    'a key without its certificate',
    ['--tls-key', keyPath],
    'Tallylight cannot start: TLS needs a certificate and its key, but no certificate is set.\n',
  ],
])('%s is refused with a sentence', async (_name, args, stderr) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tallylight-tls-'));
  const run = await runHost([...args, '--data-dir', dataFolder, '--http-port', '0', '--rtmp-port', '0', '--secrets', 'memory']);
  rmSync(dataFolder, { recursive: true });
  expect(run).toEqual({ exitCode: 1, stdout: '', stderr });
});

test('for localhost, only the address that has TLS and bounds is listened on', async () => {
  const { lookup } = dns;
  const addresses = ['127.0.0.1', '::1'].map((address, at) => ({ address, family: at === 0 ? 4 : 6 }));
  const answer = (host: string, ...rest: [dns.LookupAllOptions, (error: null, all: typeof addresses) => void]) =>
    host === 'localhost' && rest[0].all ? rest[1](null, addresses) : Reflect.apply(lookup, dns, [host, ...rest]);
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(answer as typeof lookup);
  onTestFinished(() => spy.mockRestore());
  await using test = await startTestService({ host: 'localhost', tls: { certificatePath, keyPath }, awaitEncoders: false });
  const { httpPort } = test.urls;
  expect((await get(`https://127.0.0.1:${httpPort}/api/ingest`)).status).toBe(200);
  const other = await new Promise<string | undefined>((resolve) => {
    const socket = connect(httpPort, '::1', () => resolve(socket.destroy().remoteAddress));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
  });
  expect(other).toMatch(/^(ECONNREFUSED|EADDRNOTAVAIL)$/);
});
