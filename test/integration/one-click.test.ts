import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultIngestBounds } from '../../src/service/config.ts';
import { type Source, testSource } from '../../src/shared/model/source.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { signalProcess } from '../../src/tools/processes.ts';
import { findCaptures, findEncoders, findFfmpegs, theOnly } from '../support/find-processes.ts';
import { loopedFile } from '../support/looped-file.ts';
import { soon } from '../support/soon.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const run = promisify(execFile);
const eightSeconds = new URL('../fixtures/media/eight-seconds.flv', import.meta.url);
let stage: Awaited<ReturnType<typeof startTestService>>;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallylight-one-click-'));
  stage = await startTestService();
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

async function createStream(name: string, { app } = stage) {
  const { id } = await app.stream.create({ name });
  return {
    id,
    goLive: (source: Source) => app.broadcast.goLive({ streamId: id, source }),
    stop: () => app.broadcast.stop({ streamId: id }),
    watch: async (is: (live: StreamLive) => boolean) => waitUntil(await app.stream.watch({ streamId: id }), is),
  };
}

test('Go live with the test picture puts video and audio on air, and Stop ends it and its ffmpeg', async () => {
  const stream = await createStream('Test picture');
  await stream.goLive(testSource);
  const live = await stream.watch(
    ({ stream: { air }, oneClick, meters }) =>
      air.kind === 'on-air' &&
      oneClick.kind === 'running' &&
      oneClick.encodeFps !== undefined &&
      // What its ffmpeg missed while it started is a longer one.
      meters?.keyframeIntervalSeconds === 1,
  );
  expect(live).toMatchObject({
    stream: { isActive: true, air: { kind: 'on-air' } },
    meters: { width: 1280, height: 720, keyframeIntervalSeconds: 1, audioSampleRateHz: 48_000, audioChannels: 2 },
  });
  expect(live.stages.map(({ stage: name }) => name)).toEqual(['capture', 'encode', 'upload', 'ingest', 'package']);
  const { streamKey } = await stage.app.stream.revealKey({ streamId: stream.id });
  const commands = await findEncoders(process.pid);
  expect(commands).toHaveLength(1);
  expect(await findCaptures(process.pid)).toHaveLength(1);
  expect(commands[0]?.words.join(' ')).not.toContain(streamKey);
  expect(commands[0]?.words.join(' ')).not.toMatch(/rtmp:|127\.0\.0\.1/);

  await stream.stop();
  await stream.watch(({ stream: { air }, oneClick }) => air.kind === 'off-air' && oneClick.kind === 'idle');
  await expect.poll(() => findFfmpegs(process.pid)).toEqual([]);
});

test.concurrent('a file is looped: the broadcast continues past its end', async () => {
  const path = join(folder, 'two seconds.mp4');
  await run('ffmpeg', ['-v', 'error', '-i', fileURLToPath(eightSeconds), '-t', '2', '-c', 'copy', path]);
  const stream = await createStream('Loop');
  await stream.goLive(loopedFile(path));
  const live = await stream.watch(({ session }) => (session?.sourceSegmentsDuration ?? 0) > 3);
  expect(live).toMatchObject({ oneClick: { kind: 'running' }, meters: { width: 1280, height: 720, audioChannels: 2 } });
  await stream.stop();
});

test.concurrent('a file whose name looks like options and patterns is broadcast like any other', async () => {
  const path = join(folder, '-y odd: name%03d [1].flv');
  await copyFile(eightSeconds, path);
  const stream = await createStream('Odd name');
  await stream.goLive(loopedFile(path));
  await stream.watch(({ stream: { air } }) => air.kind === 'on-air');
  await stream.stop();
});

test.concurrent("a file without video fails with a sentence and ffmpeg's last lines", async () => {
  const path = join(folder, 'sound.wav');
  await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=duration=1', path]);
  const stream = await createStream('Sound only');
  await stream.goLive(loopedFile(path));
  const { oneClick, stream: view } = await stream.watch((live) => live.oneClick.kind === 'failed');
  expect(oneClick).toMatchObject({ kind: 'failed', failure: { code: 'no-video-track' } });
  expect(oneClick.kind === 'failed' && oneClick.stderr.join('\n')).toContain('matches no streams');
  expect(view.air.kind).toBe('off-air');
});

test.concurrent('a file that is not media fails with a sentence', async () => {
  const path = join(folder, 'notes.mp4');
  await writeFile(path, 'Dear diary, today I went live.');
  const stream = await createStream('No media');
  await stream.goLive(loopedFile(path));
  const { oneClick } = await stream.watch((live) => live.oneClick.kind === 'failed');
  expect(oneClick).toMatchObject({ failure: { code: 'file-unreadable' } });
});

test.concurrent('a Go live that fails before it has anything to send leaves the encoder that is connected alone', async () => {
  const path = join(folder, 'letter.mp4');
  await writeFile(path, 'Dear diary, somebody else is live.');
  const stream = await createStream('Taken');
  // It calls itself as ours does, and comes from this computer.
  await using other = await stage.publish(stream.id);
  await stream.watch(({ stream: { air } }) => air.kind === 'connecting');
  await stream.goLive(loopedFile(path));
  const failed = await stream.watch(({ oneClick }) => oneClick.kind === 'failed');
  expect(failed.stream.air.kind).toBe('connecting');
  await other.close();
});

test.concurrent('a missing file is refused at once', async () => {
  const stream = await createStream('Missing');
  await expect(stream.goLive(loopedFile(join(folder, 'gone.mp4')))).rejects.toMatchObject({
    code: 'SOURCE_FAILED',
    message: `There is no file ${join(folder, 'gone.mp4')}. Check its full path, or browse to it.`,
  });
});

test.concurrent('going live twice is refused, and the first broadcast continues', async () => {
  const stream = await createStream('Twice');
  await stream.goLive(testSource);
  await expect(stream.goLive(testSource)).rejects.toMatchObject({ code: 'ALREADY_LIVE' });
  await stream.watch(({ stream: { air } }) => air.kind === 'on-air');
  await stream.stop();
});

test.concurrent('a broadcast that another publisher takes over ends here instead of fighting for the key', async () => {
  const stream = await createStream('Taken over');
  await stream.goLive(testSource);
  await stream.watch(({ stream: { air } }) => air.kind === 'on-air');
  await using other = await stage.publish(stream.id);
  const { oneClick } = await stream.watch((live) => live.oneClick.kind === 'failed');
  expect(oneClick).toMatchObject({
    failure: { code: 'taken-over', says: 'Tallylight on this computer took over this stream key.' },
  });
  expect((await stream.watch(() => true)).stream.air.kind).toBe('on-air');
  await other.close();
});

test('a stream that is deleted, suspended or terminated over the interface ends its one-click, and the service stays up', async () => {
  const ends = [
    (id: string) => stage.api('DELETE', `/stream/${id}`),
    (id: string) => stage.api('PATCH', `/stream/${id}`, { suspended: true }),
    (id: string) => stage.api('DELETE', `/stream/${id}/terminate`),
  ];
  await Promise.all(
    ends.map(async (end) => {
      const stream = await createStream('Ended from elsewhere');
      await stream.goLive(testSource);
      await stream.watch(({ stream: { air } }) => air.kind === 'on-air');
      expect((await end(stream.id)).status).toBe(204);
    }),
  );
  await expect.poll(() => findFfmpegs(process.pid)).toEqual([]);
  expect(stage.logLines.filter((line) => line.includes('kept from spreading'))).toEqual([]);
});

test('a stream that is suspended while Go live starts is not on air', async () => {
  const stream = await createStream('Suspended at once');
  await Promise.all([stream.goLive(testSource), stage.api('PATCH', `/stream/${stream.id}`, { suspended: true })]);
  await expect.poll(() => findFfmpegs(process.pid)).toEqual([]);
  // Its ffmpeg ended just before its upload.
  const live = await stream.watch(({ oneClick }) => oneClick.kind === 'idle');
  expect(live).toMatchObject({ stream: { suspended: true, air: { kind: 'off-air' } } });
});

describe('an ffmpeg', () => {
  type Broadcast = Awaited<ReturnType<typeof goLive>>;
  let impatient: Awaited<ReturnType<typeof startTestService>>;
  let crashing: Broadcast;
  let stalling: Broadcast;
  beforeAll(async () => {
    impatient = await startTestService({ ingestBounds: { ...defaultIngestBounds, mediaTimeoutMs: 500 } });
    // One after another: a new process is the new broadcast's.
    crashing = await goLive(stage, 'Crash');
    stalling = await goLive(impatient, 'Stall');
  });
  afterAll(() => impatient.close());

  async function goLive(service: typeof stage, name: string) {
    const known = (await findEncoders(process.pid)).map(({ pid }) => pid);
    const stream = await createStream(name, service);
    await stream.goLive(testSource);
    const encoder = await soon(
      async () => theOnly((await findEncoders(process.pid)).filter(({ pid }) => !known.includes(pid))),
      30_000,
    );
    return { stream, encoder, onAir: stream.watch(({ stream: { air } }) => air.kind === 'on-air') };
  }

  test.concurrent('that crashes mid-broadcast is replaced, and the session continues', async () => {
    const { stream, encoder, onAir } = crashing;
    const before = await onAir;
    signalProcess(encoder, 'SIGKILL');
    const segments = before.session?.sourceSegments ?? 0;
    const after = await stream.watch(
      ({ log, session }) =>
        log.some(({ event }) => event.code === 'encoder-restarted') && (session?.sourceSegments ?? 0) >= segments + 2,
    );
    expect(after.stream.air).toEqual(before.stream.air);
    await stream.stop();
  });

  test.concurrent('that stalls until the ingest disconnects its broadcast is reconnected, in the same session', async () => {
    const { stream, encoder, onAir } = stalling;
    const before = await onAir;
    signalProcess(encoder, 'SIGSTOP');
    // Its states pass: each new connection begins with the current GOP. The log keeps them.
    await stream.watch(({ log }) => log.some(({ event }) => event.code === 'encoder-lost' && event.when !== 'before-on-air'));
    signalProcess(encoder, 'SIGCONT');
    const isBack = ({ log }: StreamLive) => log.some(({ event }) => event.code === 'back-on-air');
    const back = await stream.watch((live) => live.stream.air.kind === 'on-air' && isBack(live));
    expect(back.session?.id).toBe(before.session?.id);
    await stream.stop();
  });
});
