import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { audioFormats, videoFormats } from '../../src/service/media/carried-formats.ts';
import { probeDecoders } from '../../src/service/transcode/decoder-probe.ts';
import { decodeStreams, encodeFlv } from '../support/ffmpeg.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { createLadderStream } from '../support/ladder-stream.ts';
import { getNewerFfmpeg } from '../support/newer-ffmpeg.ts';
import { readPlaylist } from '../support/read-playlist.ts';
import { soon } from '../support/soon.ts';
import { startTestService } from '../support/test-service.ts';
import { placeTags, shownFrames, startTestLadder } from '../support/transcode-stand.ts';

const hevc = ['-c:v', 'libx265', '-bf', '2', '-x265-params', 'log-level=none:open-gop=0'];
const av1 = ['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8'];
const opus = ['-c:a', 'libopus'];

let ffmpeg: string;
/** The 68 MB download may be slow. */
beforeAll(() => {
  ffmpeg = getNewerFfmpeg();
}, 300_000);

/** Publishes until it is ended, which returns how many frames it has sent: what is there only on air can be seen on a busy computer too. */
async function publish(url: string, args: readonly string[]) {
  // A line for each frame.
  const sent = join(await mkdtemp(join(tmpdir(), 'tallylight-sent-')), 'frames');
  const publisher = startFfmpegPublisher(url, { ffmpeg, args: [...args, '-vstats_file', sent] });
  const end = async () => {
    expect(await publisher.quit()).toEqual({ exitCode: 0, stderr: '' });
    return (await readFile(sent, 'utf8')).trimEnd().split('\n').length;
  };
  return { end, [Symbol.asyncDispose]: () => publisher[Symbol.asyncDispose]() };
}

/** The CODECS attribute of each variant of a multivariant playlist, in order. */
async function readCodecs(multivariantUrl: string): Promise<string[]> {
  const response = await fetch(multivariantUrl);
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} for ${multivariantUrl}: ${text}`);
  return [...text.matchAll(/CODECS="([^"]*)"/g)].map(([, codecs = '']) => codecs);
}

test('an older ffmpeg decodes the codecs of Flash Video, a newer one all supported codecs', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'tallylight-decoders-'));
  onTestFinished(() => rm(dataFolder, { recursive: true }));
  const older = await getFfmpeg();
  const probe = async (path: string, version: string) => {
    const { canDecode } = await probeDecoders({ ffmpeg: { path, version }, dataFolder, timeoutMs: 30_000 });
    return [...videoFormats, ...audioFormats].filter(canDecode).map(({ name }) => name);
  };
  const all = ['H.264', 'HEVC', 'AV1', 'AAC', 'Opus'];
  // Debian's is 5.1; ffmpeg 8 and later decode all of them.
  expect(await probe(older.path, older.version)).toEqual(Number.parseInt(older.version, 10) < 6 ? ['H.264', 'AAC'] : all);
  expect(await probe(ffmpeg, '9')).toEqual(all);
});

describe('a source over Enhanced RTMP', () => {
  let service: Awaited<ReturnType<typeof startTestService>>;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  test.concurrent.each([
    { name: 'H.264 and Opus', args: opus, codecs: 'avc1.42c00d,opus', video: 'h264', audio: 'opus' },
    { name: 'HEVC and AAC', args: hevc, codecs: 'hvc1.1.6.L60.90,mp4a.40.2', video: 'hevc', audio: 'aac' },
    { name: 'AV1 and Opus', args: [...av1, ...opus], codecs: 'av01.0.00M.08,opus', video: 'av1', audio: 'opus' },
  ])('of $name plays with every frame that was sent', async ({ name, args, codecs, ...is }) => {
    const stream = await createLadderStream(service, name, []);
    await using publisher = await publish(stream.publishUrl, args);
    await stream.watch(({ session }) => (session?.sourceSegments ?? 0) >= 4);
    expect(await readCodecs(stream.multivariantUrl)).toEqual([codecs]);
    const frames = await publisher.end();
    await stream.over();
    const [video, audio, ...others] = await decodeStreams(ffmpeg, stream.mediaUrl('source'));
    expect([video, audio?.codec, others]).toEqual([{ codec: is.video, frames }, is.audio, []]);
    // An ffmpeg that is ended drops the sound that it hasn't encoded yet.
    expect(audio?.frames).toBeGreaterThan((frames / 30 - 1) * 45);
  });

  test.concurrent('that reconnects with another codec has a discontinuity and a new init segment', async () => {
    const stream = await createLadderStream(service, 'Other codec', []);
    await using first = startFfmpegPublisher(stream.publishUrl, { ffmpeg, args: [...hevc, ...opus] });
    await stream.watch(({ session }) => (session?.sourceSegments ?? 0) >= 2);
    await first.kill();
    await using second = startFfmpegPublisher(stream.publishUrl, { seconds: 3, ffmpeg, args: [...av1, ...opus] });
    expect(await second.ended).toMatchObject({ exitCode: 0 });
    await stream.over();
    const { segments } = readPlaylist(await stream.playlist('source'));
    expect(segments.filter(({ discontinuity }) => discontinuity)).toHaveLength(1);
    const inits = [...new Set(segments.map(({ init = '' }) => init))];
    expect(inits).toHaveLength(2);
    const bytes = await Promise.all(
      inits.map(async (init) => Buffer.from(await (await fetch(new URL(init, stream.mediaUrl('source')))).arrayBuffer())),
    );
    expect(bytes.map((init) => ['hvcC', 'av1C', 'dOps'].filter((box) => init.includes(box)))).toEqual([
      ['hvcC', 'dOps'],
      ['av1C', 'dOps'],
    ]);
  });

  test.concurrent('that ffmpeg cannot decode plays without renditions, and its owner sees why', async () => {
    const stream = await createLadderStream(service, 'No decoder');
    await using publisher = startFfmpegPublisher(stream.publishUrl, { ffmpeg, args: [...av1, ...opus] });
    const { renditions, log } = await stream.watch(({ session }) => (session?.sourceSegments ?? 0) >= 2);
    expect(renditions.map(({ state }) => state)).toEqual(['given-up', 'given-up']);
    expect(log.flatMap(({ event }) => (event.code === 'ladder' ? [event.event] : []))).toEqual([
      { code: 'given-up', severity: 'warn', names: ['180p', '144p'], why: { kind: 'no-decoder', codec: 'AV1' } },
    ]);
    expect(await stream.offered()).toEqual(['source/index.m3u8']);
    expect((await publisher.quit()).exitCode).toBe(0);
  });

  test.concurrent('whose audio ffmpeg cannot decode keeps it in its renditions', async () => {
    const stream = await createLadderStream(service, 'Opus passed on');
    await using publisher = startFfmpegPublisher(stream.publishUrl, { ffmpeg, args: opus });
    await stream.complete();
    const [source, ...renditions] = await readCodecs(stream.multivariantUrl);
    expect(source).toBe('avc1.42c00d,opus');
    expect(renditions).toEqual([expect.stringMatching(/^avc1\..*,opus$/), expect.stringMatching(/^avc1\..*,opus$/)]);
    expect((await publisher.quit()).exitCode).toBe(0);
  });
});

describe('with a newer ffmpeg', () => {
  let service: Awaited<ReturnType<typeof startTestService>>;
  const before = process.env.TALLYLIGHT_FFMPEG;
  beforeAll(async () => {
    process.env.TALLYLIGHT_FFMPEG = ffmpeg;
    service = await startTestService();
  });
  afterAll(async () => {
    await service.close();
    if (before === undefined) delete process.env.TALLYLIGHT_FFMPEG;
    else process.env.TALLYLIGHT_FFMPEG = before;
  });

  test.concurrent.each([
    { name: 'HEVC and Opus', args: [...hevc, ...opus], source: 'hvc1.1.6.L60.90,opus' },
    { name: 'AV1 and Opus', args: [...av1, ...opus], source: 'av01.0.00M.08,opus' },
  ])('a source of $name has renditions in H.264 and AAC', async ({ name, args, source }) => {
    const stream = await createLadderStream(service, name);
    // Long enough for both renditions to begin on a busy computer: their first segment is known only while on air.
    await using publisher = startFfmpegPublisher(stream.publishUrl, { seconds: 15, rate: 30, ffmpeg, args });
    await stream.complete();
    const [first, ...renditions] = await readCodecs(stream.multivariantUrl);
    expect(first).toBe(source);
    const plain = expect.stringMatching(/^avc1\..*,mp4a\.40\.2$/);
    expect(renditions).toEqual([plain, plain]);
    expect(await publisher.ended).toMatchObject({ exitCode: 0 });
    await stream.over();
    const [video, audio] = await decodeStreams(ffmpeg, stream.mediaUrl('180p'));
    expect([video, audio?.codec]).toEqual([{ codec: 'h264', frames: 15 * 30 }, 'aac']);
  });

  test.concurrent('a source of AV1 has its newest frame in the renditions before it sends another', async () => {
    const frames = 5;
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=30', '-frames:v', String(frames)];
    const units = placeTags(await encodeFlv([...picture, ...av1]));
    const { ladder, renditions } = await startTestLadder({ sourceFps: () => 30 });
    for (const unit of units) ladder.push(unit);
    await soon(() => expect(renditions.map((made) => shownFrames(made).length)).toEqual([frames, frames]));
    await ladder.drain();
  });
});
