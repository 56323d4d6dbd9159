import { mkdtemp, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSystemClock } from '../../src/service/lib/system-clock.ts';
import { Encoder } from '../../src/service/one-click/encoder.ts';
import type { EncoderName, EncoderTrial } from '../../src/shared/model/encoder.ts';
import { testSource } from '../../src/shared/model/source.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { describeFailure } from '../../src/shared/words/failure-words.ts';
import { signalProcess } from '../../src/tools/processes.ts';
import { findFfmpegs, theOnly } from '../support/find-processes.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { asHardware, makeOddFfmpeg } from '../support/odd-ffmpeg.ts';
import { soon } from '../support/soon.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const profiles = [
  { name: '180p', bitrate: 300_000, fps: 0, width: 320, height: 180 },
  { name: '144p', bitrate: 150_000, fps: 0, width: 256, height: 144 },
];
/** A hardware encoder of this platform, whose hardware is gone. */
const gone: EncoderName = process.platform === 'darwin' ? 'h264_videotoolbox' : 'h264_amf';

/** A broadcast of the test picture with two renditions. */
async function goLive(service: Awaited<ReturnType<typeof startTestService>>) {
  const { body } = await service.api('POST', '/stream', { name: 'Encoders', profiles });
  const streamId = body.id as string;
  await service.app.broadcast.goLive({ streamId, source: testSource });
  return {
    watch: async (is: (live: StreamLive) => boolean) => waitUntil(await service.app.stream.watch({ streamId }), is),
    stop: () => service.app.broadcast.stop({ streamId }),
  };
}

describe('in a service', () => {
  /** An empty one: nothing has been probed. */
  const makeFolder = () => mkdtemp(join(tmpdir(), 'tallylight-fallback-'));
  /** A service with a hardware encoder that worked when it was tried, and does no longer. */
  let experienced: Awaited<ReturnType<typeof startTestService>>;
  /** A service whose encoder probe takes long. */
  let probing: Awaited<ReturnType<typeof startTestService>>;
  beforeAll(async () => {
    const path = await makeOddFfmpeg(`case "$*" in
*-frames:v*${gone}*) set -- ${asHardware.join(' ')} ;;
*${gone}*) echo 'No device.' >&2; exit 1 ;;
esac`);
    const dataFolder = await makeFolder();
    // So that it also counts as working if its trial is late on a busy computer.
    const { version } = await getFfmpeg();
    const build = { path, version, modifiedAtMs: (await stat(path)).mtimeMs };
    const found: EncoderTrial[] = [
      { encoder: gone, works: true },
      { encoder: 'libx264', works: true },
    ];
    await writeFile(join(dataFolder, 'encoders.json'), JSON.stringify({ build, found }));
    vi.stubEnv('TALLYLIGHT_FFMPEG', path);
    experienced = await startTestService({ dataFolder });
    vi.stubEnv('TALLYLIGHT_FFMPEG', await makeOddFfmpeg('case "$*" in *-frames:v*) sleep 2;; esac'));
    probing = await startTestService({ dataFolder: await makeFolder(), awaitEncoders: false });
    vi.unstubAllEnvs();
  });
  afterAll(() => Promise.all([experienced.close(), probing.close()]));

  test.concurrent('a broadcast that begins during the encoder probe does not wait for it, and its renditions miss no segment', async () => {
    const stream = await goLive(probing);
    expect(probing.service.info().encoders).toBeUndefined();
    await stream.watch(({ renditions }) => renditions.length === 2 && renditions.every(({ name }) => name !== undefined));
    await stream.stop();
    await stream.watch(
      ({ stream: { isActive, sourceSegments, transcodedSegments } }) =>
        !isActive && sourceSegments > 0 && transcodedSegments === 2 * sourceSegments,
    );
  });

  test.concurrent('hardware that worked before and now fails is replaced by x264, in Go live and in the renditions, and both report it', async () => {
    expect(experienced.service.info().encoders?.used).toBe(gone);
    const stream = await goLive(experienced);
    const { log } = await stream.watch(
      ({ renditions }) => renditions.length === 2 && renditions.every(({ name }) => name !== undefined),
    );
    const events = log.map(({ event }) => event);
    expect(events).toContainEqual({ code: 'encoder-fell-back', encoder: gone });
    const restarts = events.flatMap((event) =>
      event.code === 'ladder' && event.event.code === 'crashed' ? event.event.restart : [],
    );
    expect(restarts).toEqual([{ encoder: 'libx264' }]);
    await stream.stop();
  });
});

const toFlv = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-f', 'flv', 'pipe:1'];
const picture = 'testsrc2=size=160x90:rate=25';
const testPicture = ['-v', 'error', '-re', '-f', 'lavfi', '-i', picture, ...toFlv];

/** An encode whose `hardware` poses as a graphics card's, and what it reported. */
async function startEncoder(hardware: readonly string[], hardwareMs = 60_000) {
  const { path } = await getFfmpeg();
  const told = { encoders: [] as EncoderName[], fallbacks: [] as EncoderName[], failures: [] as string[], units: 0 };
  const encoder = new Encoder({
    ffmpegPath: path,
    encoder: 'h264_nvenc',
    startLimits: { hardwareMs, softwareMs: 60_000 },
    args: (name) => {
      told.encoders.push(name);
      return name === 'libx264' ? testPicture : hardware;
    },
    feed: { format: { fps: 25 }, capturedAt: () => undefined, tap: () => ({ firstFrame: 0, close() {} }) },
    tracks: { video: true, audio: false },
    clock: createSystemClock(),
    onUnit: () => {
      told.units += 1;
    },
    onMetadata: () => {},
    onProgress: () => {},
    onFallback: (failed) => told.fallbacks.push(failed),
    onRestart: ({ failure }) => told.failures.push(describeFailure(failure)),
    onFailed: ({ failure }) => told.failures.push(describeFailure(failure)),
  });
  onTestFinished(() => encoder.stop());
  return told;
}

test('hardware that fails mid-broadcast is replaced by x264, and is not tried again', async () => {
  const told = await startEncoder(testPicture);
  const killWhenItRuns = async () => {
    const before = told.units;
    await soon(() => expect(told.units).toBeGreaterThan(before + 1));
    // Others may still be finishing the renditions of the broadcasts before.
    const ffmpegs = await findFfmpegs(process.pid);
    signalProcess(theOnly(ffmpegs.filter(({ words }) => words.includes(picture))), 'SIGKILL');
  };
  await killWhenItRuns();
  await soon(() => expect(told.fallbacks).toEqual(['h264_nvenc']));
  await killWhenItRuns();
  await soon(() => expect(told.failures).toEqual(['ffmpeg was killed (SIGKILL).']));
  expect(told.encoders).toEqual(['h264_nvenc', 'libx264', 'libx264']);
  expect(told.fallbacks).toEqual(['h264_nvenc']);
});

test('hardware that hangs before its first picture is replaced by x264', async () => {
  // It waits for pictures that nobody sends.
  const told = await startEncoder(['-v', 'error', '-f', 'flv', '-i', 'pipe:0', ...toFlv], 300);
  await soon(() => expect(told.units).toBeGreaterThan(2));
  expect(told).toMatchObject({ encoders: ['h264_nvenc', 'libx264'], fallbacks: ['h264_nvenc'], failures: [] });
});
