import { describe, expect, it } from 'vitest';
import { parseAudioTag } from '../../src/service/flv/audio-tag.ts';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { parseVideoTag } from '../../src/service/flv/video-tag.ts';
import type { StoredSegment } from '../../src/service/hls/stored-segment.ts';
import { decodeAll, encodeFlv, probeFrames } from '../support/ffmpeg.ts';
import { video } from '../support/pack.ts';
import { type PlaybackStand, startPlaybackStand } from '../support/playback-stand.ts';

const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const aac = ['-c:a', 'aac', '-b:a', '96k'];
const picture = (seconds: number, fps: string | number = 30, size = '320x180') => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=size=${size}:rate=${fps}:duration=${seconds}`,
];
const sound = (seconds: number, rateHz = 48_000) => ['-f', 'lavfi', '-i', `sine=sample_rate=${rateHz}:duration=${seconds}`];

const isVideoFrame = ({ kind, body }: FlvTag) => kind === 'video' && parseVideoTag(body).kind === 'frame';
const isAudioFrame = ({ kind, body }: FlvTag) => kind === 'audio' && parseAudioTag(body).kind === 'frame';
const rises = (times: readonly number[]) => times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0));

/** Shifts tags in time; timestamps stay unsigned 32-bit numbers. */
const shift = (tags: readonly FlvTag[], byMs: number) =>
  tags.map((tag) => ({ ...tag, timestampMs: (tag.timestampMs + byMs) % 2 ** 32 }));

function publish(stand: PlaybackStand, tags: readonly FlvTag[]): void {
  const packager = stand.createPackager();
  for (const tag of tags) packager.push(tag);
  packager.end();
  expect(stand.malformed).toEqual([]);
}

/** Segments between discontinuities, each after its init segment, as a player joins them. */
async function fetchRuns(stand: PlaybackStand): Promise<Buffer[]> {
  const get = async (path: string) => Buffer.from(await (await fetch(new URL(path, stand.mediaUrl))).arrayBuffer());
  const runs: Buffer[][] = [];
  for (const segment of stand.store.segments) {
    if (segment.discontinuity || runs.length === 0) runs.push([await get(`init-${segment.init.id}.mp4`)]);
    runs.at(-1)?.push(await get(`${segment.msn}.m4s`));
  }
  return runs.map((run) => Buffer.concat(run));
}

/**
 * How much later ffmpeg 5.1 shows video than it should: its demuxer adds the largest negative composition offset to presentation
 * times, where it should subtract it from decode times.
 */
function reorderSeconds(segments: readonly StoredSegment[]): number {
  const offsets = segments.flatMap((segment) => video(segment)).map((sample) => sample.compositionOffset);
  return -Math.min(...offsets, 0) / 90_000;
}

const longest = (segments: readonly StoredSegment[]) => Math.max(...segments.map(({ durationSeconds }) => durationSeconds));

const broadcasts: { name: string; args: string[]; segmentSeconds: number; hasAudio?: boolean }[] = [
  {
    name: 'B-frames and a GOP of 2 s',
    args: [...picture(8), ...sound(8), ...x264, '-preset', 'veryfast', '-bf', '3', '-g', '60', ...aac],
    segmentSeconds: 2,
  },
  {
    name: '29.97 frames per second, a GOP of 1 s, 44.1 kHz',
    args: [...picture(8, '30000/1001'), ...sound(8, 44_100), ...x264, '-g', '30', ...aac],
    segmentSeconds: 2.002,
  },
  {
    name: '60 frames per second with B-frames and an open GOP',
    args: [...picture(6, 60), ...sound(6), ...x264, '-bf', '2', '-g', '60', '-x264-params', 'open-gop=1:scenecut=0', ...aac],
    segmentSeconds: 2,
  },
  {
    name: '23.976 frames per second, a GOP of half a second',
    args: [...picture(6, '24000/1001'), ...sound(6), ...x264, '-bf', '2', '-g', '12', ...aac],
    segmentSeconds: 2.002,
  },
  {
    name: 'a GOP of 10 s',
    args: [...picture(21, 10), ...sound(21), ...x264, '-g', '100', '-sc_threshold', '0', ...aac],
    segmentSeconds: 10,
  },
  {
    name: 'a variable frame rate',
    args: [
      ...picture(8),
      ...sound(8),
      ...['-vf', "select='lt(mod(n,30),17)'", '-fps_mode', 'vfr'],
      ...x264,
      ...['-force_key_frames', 'expr:gte(t,n_forced*2)'],
      ...aac,
    ],
    segmentSeconds: 2,
  },
  { name: 'no audio', args: [...picture(6), ...x264, '-g', '60', '-an'], segmentSeconds: 2, hasAudio: false },
];

describe.concurrent('ffprobe plays every frame sent, over HTTP and without an error, with', () => {
  it.each(broadcasts)('$name', async ({ args, segmentSeconds, hasAudio = true }) => {
    await using stand = await startPlaybackStand();
    const tags = await encodeFlv(args);
    publish(stand, tags);
    stand.end();

    const frames = await probeFrames(stand.mediaUrl);
    expect(frames.stderr).toBe('');
    expect(frames.video).toHaveLength(tags.filter(isVideoFrame).length);
    expect(rises(frames.video)).toBe(true);
    expect(rises(frames.audio)).toBe(true);
    if (hasAudio) {
      // Only what was sent before the first picture is left out: the encoder's priming samples.
      const sent = tags.filter(isAudioFrame).length;
      expect(frames.audio.length).toBeGreaterThanOrEqual(sent - 6);
      expect(frames.audio.length).toBeLessThanOrEqual(sent);
      const frameSeconds = 1024 / (stand.tracks[0]?.audio?.sampleRateHz ?? 0);
      const apart = (frames.video[0] ?? 0) - reorderSeconds(stand.store.segments) - (frames.audio[0] ?? 0);
      expect(Math.abs(apart)).toBeLessThanOrEqual(frameSeconds);
    } else {
      expect(frames.audio).toEqual([]);
    }
    expect(await decodeAll(stand.mediaUrl)).toEqual({ exitCode: 0, stderr: '' });
    const { segments, targetDurationSeconds } = stand.store;
    for (const { durationSeconds } of segments.slice(1, -1)) expect(durationSeconds).toBeCloseTo(segmentSeconds, 2);
    expect(targetDurationSeconds).toBe(Math.round(longest(segments)));
  });

  it('timestamps that wrap at 2^32', async () => {
    await using stand = await startPlaybackStand();
    const tags = await encodeFlv([...picture(6), ...sound(6), ...x264, '-bf', '2', '-g', '60', ...aac]);
    publish(stand, shift(tags, 2 ** 32 - 3000));
    stand.end();
    const frames = await probeFrames(stand.mediaUrl);
    expect(frames.stderr).toBe('');
    expect(frames.video).toHaveLength(tags.filter(isVideoFrame).length);
    expect(rises(frames.video) && rises(frames.audio)).toBe(true);
    expect(stand.store.segments.filter(({ discontinuity }) => discontinuity)).toEqual([]);
  });

  it('a reconnect of the same publisher, across the discontinuity', async () => {
    await using stand = await startPlaybackStand();
    const tags = await encodeFlv([...picture(5), ...sound(5), ...x264, '-g', '60', ...aac]);
    publish(stand, tags);
    publish(stand, tags);
    stand.end();
    expect(stand.store.segments.map(({ discontinuity }) => discontinuity)).toEqual([false, false, false, true, false, false]);
    expect(new Set(stand.store.segments.map(({ init }) => init.id)).size).toBe(1);
    const frames = await probeFrames(stand.mediaUrl);
    expect([frames.video.length, rises(frames.video), rises(frames.audio), frames.stderr]).toEqual([300, true, true, '']);
    for (const run of await fetchRuns(stand)) {
      const { video, stderr } = await probeFrames('-', run);
      expect([video.length, rises(video), stderr]).toEqual([150, true, '']);
    }
  });

  it('another resolution and one more B-frame mid-stream, in separate segments', async () => {
    await using stand = await startPlaybackStand();
    const first = await encodeFlv([...picture(4), ...sound(4), ...x264, '-g', '60', ...aac]);
    const second = await encodeFlv([...picture(4, 30, '640x360'), ...sound(4), ...x264, '-bf', '3', '-g', '60', ...aac]);
    publish(stand, [...first, ...shift(second, 4000)]);
    stand.end();
    expect(stand.tracks.map(({ video }) => [video?.width, video?.height])).toEqual([
      [320, 180],
      [640, 360],
    ]);
    const runs = await fetchRuns(stand);
    expect(runs).toHaveLength(2);
    for (const run of runs) {
      const { video, audio, stderr } = await probeFrames('-', run);
      expect([video.length, rises(video), rises(audio), stderr]).toEqual([120, true, true, '']);
    }
  });

  it('audio alone at first, then video and audio', async () => {
    await using stand = await startPlaybackStand();
    const tags = await encodeLatePicture();
    const header = tags.filter(({ kind, body }) => kind === 'video' && body.readUInt8(1) === 0);
    publish(stand, insertBefore(tags, isVideoFrame, header));
    stand.end();
    const [alone, together, ...others] = await fetchRuns(stand);
    expect(others).toEqual([]);
    const before = await probeFrames('-', alone);
    expect([before.video.length, rises(before.audio), before.stderr]).toEqual([0, true, '']);
    const after = await probeFrames('-', together);
    expect([after.video.length, rises(after.video), rises(after.audio), after.stderr]).toEqual([150, true, true, '']);
    expect(before.audio.length + after.audio.length).toBe(tags.filter(isAudioFrame).length);
    const total = stand.store.segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
    expect(total).toBeCloseTo(12, 1);
  });

  it('a black picture until announced video arrives, without a discontinuity before it', async () => {
    await using stand = await startPlaybackStand();
    const tags = await encodeLatePicture();
    publish(stand, tags);
    stand.end();
    expect(await fetchRuns(stand)).toHaveLength(1);
    const frames = await probeFrames(stand.mediaUrl);
    expect([rises(frames.video), rises(frames.audio), frames.stderr]).toEqual([true, true, '']);
    const startMs = (isFound: (tag: FlvTag) => boolean) => tags.find(isFound)?.timestampMs ?? 0;
    // From the first audio to the first video, at the video's frame rate.
    const blackFrames = ((startMs(isVideoFrame) - startMs(isAudioFrame)) * 30) / 1000;
    expect(frames.video).toHaveLength(Math.round(blackFrames) + 150);
    expect(frames.audio).toHaveLength(tags.filter(isAudioFrame).length);
  });

  it('audio alone', async () => {
    await using stand = await startPlaybackStand();
    const tags = await encodeFlv([...sound(7), ...aac]);
    publish(stand, tags);
    stand.end();
    const frames = await probeFrames(stand.mediaUrl);
    expect([frames.video, rises(frames.audio), frames.stderr]).toEqual([[], true, '']);
    expect(frames.audio).toHaveLength(tags.filter(isAudioFrame).length);
  });
});

it.concurrent('the multivariant playlist leads ffprobe to the video and describes it', async () => {
  await using stand = await startPlaybackStand();
  const tags = await encodeFlv([...picture(4, '30000/1001'), ...sound(4), ...x264, '-g', '30', ...aac]);
  publish(stand, tags);
  const text = await (await fetch(stand.multivariantUrl)).text();
  expect(text).toMatch(
    /^#EXT-X-STREAM-INF:BANDWIDTH=\d+,AVERAGE-BANDWIDTH=\d+,CODECS="avc1\.42c00d,mp4a\.40\.2",RESOLUTION=320x180,FRAME-RATE=29\.970$/m,
  );
  const [, peak, average] = /BANDWIDTH=(\d+),AVERAGE-BANDWIDTH=(\d+)/.exec(text) ?? [];
  const bits = stand.store.segments.reduce((sum, { sizeBytes }) => sum + sizeBytes * 8, 0);
  expect(Number(average)).toBeCloseTo(bits / 4, -4);
  expect(Number(peak)).toBeGreaterThanOrEqual(Number(average));
});

/** Audio from the start, and video from 7 s on, announced at the start. */
const encodeLatePicture = () =>
  encodeFlv(['-itsoffset', '7', ...picture(5), ...sound(12), '-map', '0', '-map', '1', ...x264, '-g', '60', ...aac]);

/** Moves `tags` to before the first that is found. */
function insertBefore(all: readonly FlvTag[], isFound: (tag: FlvTag) => boolean, tags: readonly FlvTag[]): FlvTag[] {
  const others = all.filter((tag) => !tags.includes(tag));
  const place = others.findIndex(isFound);
  return [...others.slice(0, place), ...tags, ...others.slice(place)];
}
