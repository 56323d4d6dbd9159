import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { PublishError } from '../../src/service/publishing/publish-error.ts';
import { testSource } from '../../src/shared/model/source.ts';
import { signalProcess } from '../../src/tools/processes.ts';
import { blockThread, breakClose } from '../support/break-close.ts';
import { createStream } from '../support/create-stream.ts';
import { makeFifo } from '../support/fifo.ts';
import { findEncoders, findFfmpegs, findProcesses, theOnly } from '../support/find-processes.ts';
import { readEightSeconds } from '../support/flv-fixture.ts';
import { runHost, startTestHost, type TestHost } from '../support/headless-host.ts';
import { openHostContract } from '../support/host-contract.ts';
import { isFree } from '../support/http-request.ts';
import { lightEncode } from '../support/light-encode.ts';
import { publishTags } from '../support/publish-tags.ts';
import { lockStore } from '../support/rival-program.ts';
import { soon } from '../support/soon.ts';
import { shiftTags } from '../support/synthetic-source.ts';
import { sendTag } from '../support/tag-role.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

test.concurrent.each<[NodeJS.Signals, string[]]>([
  ['SIGTERM', ['Tallylight could not close everything.']],
  ['SIGUSR2', ['Tallylight ended because of an internal error.', 'Tallylight could not close everything.']],
])('a host that cannot close exits with 1 after %s, in under 5 s, and logs the reason once', async (signal, reasons) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'failed-close-'));
  const host = await startTestHost({ dataFolder, env: breakClose });
  const endedAtMs = performance.now();
  expect(await host.end(signal)).toBe(1);
  expect(performance.now() - endedAtMs).toBeLessThan(5_000);
  const files = await readdir(join(dataFolder, 'logs'));
  const text = (await Promise.all(files.map((file) => readFile(join(dataFolder, 'logs', file), 'utf8')))).join('');
  const fatal = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { level: number; msg: string; err?: { message: string } })
    .filter(({ level }) => level === 60);
  expect(fatal.map(({ msg }) => msg)).toEqual(reasons);
  expect(fatal.at(-1)?.err?.message).toContain('The store cannot be closed.');
  await rm(dataFolder, { recursive: true });
});

test('a host with a thread that waits for ever exits with 0 in under 5 s, and with 1 if it cannot start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'blocked-thread-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const env = blockThread(makeFifo());
  const host = await startTestHost({ env });
  onTestFinished(() => host.kill());
  const port = new URL(host.ready.apiBaseUrl).port;
  const options = ['--data-dir', join(folder, 'second'), '--secrets', 'memory', '--http-port', port, '--rtmp-port', '0'];
  const { exitCode, stderr } = await runHost(options, env);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(port)]);
  const endedAtMs = performance.now();
  expect(await host.end('SIGTERM')).toBe(0);
  expect(performance.now() - endedAtMs).toBeLessThan(5_000);
});

/** Publishes to a stream with one rendition; `published` resolves with the error that ends it, if one does. */
async function publishForAMinute(host: TestHost) {
  const profiles = [{ name: '128p', bitrate: 150_000, fps: 0, width: 228, height: 128 }];
  const { id, streamKey, playbackId } = await createStream(host, { name: 'push', profiles });
  const port = Number(new URL(host.ready.ingestBaseUrl).port);
  const minute = Array.from({ length: 8 }, (_, round) => shiftTags(readEightSeconds(), round * 8_000)).flat();
  const published = publishTags({ port, streamKey }, minute).catch((error: unknown) => error);
  return { id, playbackId, port, published };
}

test.concurrent.each(['SIGTERM', 'SIGINT'] as const)(
  '%s closes everything in under 5 s with 0, including a connected publisher',
  async (signal) => {
    await using own = await startTestHost();
    const { apiBaseUrl, playbackBaseUrl } = own.ready;
    const { playbackId, published } = await publishForAMinute(own);
    const playlist = `${playbackBaseUrl}/${playbackId}/index.m3u8`;
    await soon(async () => expect((await fetch(playlist)).status).toBe(200), 30_000);

    const startedAtMs = performance.now();
    const exitCode = await own.end(signal);
    expect(exitCode).toBe(0);
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
    expect(await isFree(apiBaseUrl)).toBe(true);
    expect(await published).toBeInstanceOf(PublishError);
  },
);

test('SIGTERM closes everything in under 5 s with 0, though every ffmpeg hangs and connections read nothing', async () => {
  await using own = await startTestHost();
  using contract = await openHostContract(own.ready.uiUrl);
  const { app } = contract;
  const { id: pushedId, port, published } = await publishForAMinute(own);
  const { id: ownId } = await app.stream.create({ name: 'Sunday show' });
  await app.broadcast.goLive({ streamId: ownId, source: testSource, encode: lightEncode });
  for (const streamId of [pushedId, ownId])
    await waitUntil(
      await app.stream.watch({ streamId }),
      ({ stream: { air }, renditions }) =>
        air.kind === 'on-air' && renditions.every(({ state }) => streamId === ownId || state === 'running'),
    );
  const stranger = connect({ port, host: '127.0.0.1' }).on('error', () => {});
  await once(stranger, 'connect');
  const ffmpegs = await findFfmpegs(own.pid);
  for (const ffmpeg of ffmpegs) signalProcess(ffmpeg, 'SIGSTOP');
  const startedAtMs = performance.now();
  expect(await own.end('SIGTERM')).toBe(0);
  expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  const left = new Set((await findProcesses()).map(({ pid }) => pid));
  expect(ffmpegs.filter(({ pid }) => left.has(pid))).toEqual([]);
  stranger.destroy();
  await published;
});

test.each([
  { how: 'whose ffmpeg runs', signal: undefined },
  { how: 'whose ffmpeg hangs', signal: 'SIGSTOP' },
] as const)('Stop ends a one-click broadcast $how in under 5 s, with its ffmpeg', async ({ signal }) => {
  await using service = await startTestService();
  const { app } = service;
  const { id: streamId } = await app.stream.create({ name: 'Sunday show' });
  await app.broadcast.goLive({ streamId, source: testSource, encode: lightEncode });
  await waitUntil(await app.stream.watch({ streamId }), ({ stream: { air } }) => air.kind === 'on-air');
  const ffmpeg = theOnly(await findEncoders(process.pid));
  if (signal !== undefined) signalProcess(ffmpeg, signal);
  const askedAtMs = performance.now();
  await app.broadcast.stop({ streamId });
  expect(await findEncoders(process.pid)).toEqual([]);
  // The meter was killed: it may take a moment.
  await expect.poll(() => findFfmpegs(process.pid)).toEqual([]);
  expect(performance.now() - askedAtMs).toBeLessThan(5_000);
});

test('a service that is closed while its store is locked closes in under 5 s, and reports once what is lost', async () => {
  const service = await startTestService();
  const { app } = service;
  const { id: streamId } = await app.stream.create({ name: 'Sunday show' });
  const publisher = await service.publish(streamId);
  using _rival = lockStore(service.folder);
  for (const tag of readEightSeconds()) sendTag(publisher, tag);
  const live = await waitUntil(await app.stream.watch({ streamId }), ({ stream: { air } }) => air.kind === 'on-air');
  const closedAtMs = performance.now();
  await service.close();
  expect(performance.now() - closedAtMs).toBeLessThan(5_000);
  const lost = service.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('lost'));
  expect(lost).toEqual([
    expect.objectContaining({ fault: { code: 'locked' }, msg: expect.stringMatching(/^\d+ changes are lost\.$/) }),
  ]);
  expect(JSON.stringify(lost)).toContain(live.session?.id);
});

test('no ffmpeg runs 5 s after its parent process was killed', async () => {
  const script = fileURLToPath(new URL('../support/ladder-until-killed.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const ffmpegs = await findFfmpegs(child.pid!);
  expect(ffmpegs).toHaveLength(1);
  child.kill('SIGKILL');
  const killedAt = performance.now();
  for (;;) {
    const pids = (await findProcesses()).map(({ pid }) => pid);
    if (!pids.includes(ffmpegs[0]!.pid)) break;
    expect(performance.now() - killedAt).toBeLessThan(5_000);
    await sleep(50);
  }
});
