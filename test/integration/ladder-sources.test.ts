import { expect, test } from 'vitest';
import type { FlvTag } from '../../src/service/media/flv-tag.ts';
import type { TimedTag } from '../../src/service/media/timed-tag.ts';
import type { Profile } from '../../src/shared/model/profile.ts';
import { encodeFlv } from '../support/ffmpeg.ts';
import { keyframeTimes, placeTags, shownFrames, smallProfiles, soundFrames, transcode } from '../support/transcode-stand.ts';

interface SourceOptions {
  rate?: string;
  seconds?: number;
  gopFrames?: number;
  size?: string;
  filter?: string;
  x264?: string[];
  audio?: string[] | undefined;
}

const aac = ['-c:a', 'aac', '-b:a', '64k'];

async function makeSource(options: SourceOptions = {}): Promise<FlvTag[]> {
  const { rate = '25', seconds = 4, gopFrames = 25, size = '320x180', filter = 'null', x264 = ['-bf', '0'] } = options;
  const audio = 'audio' in options ? options.audio : aac;
  return encodeFlv([
    ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${rate}`],
    ...(audio ? ['-f', 'lavfi', '-i', 'sine=sample_rate=48000'] : []),
    ...['-t', String(seconds), '-vf', filter, '-fps_mode', 'passthrough', '-enc_time_base', '1:1000'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-sc_threshold', '0'],
    ...['-g', String(gopFrames), '-keyint_min', String(gopFrames), ...x264],
    ...(audio ?? []),
  ]);
}

/** Moves every timestamp, in 32 bits as FLV has them. */
function shift(tags: readonly FlvTag[], byMs: number): FlvTag[] {
  return tags.map((tag) => ({ ...tag, timestampMs: (tag.timestampMs + byMs) % 2 ** 32 }));
}

/** The length of the picture, its last frame taken to be as long as the one before. */
function pictureMs(tags: readonly TimedTag[], timeline = 0): number {
  const frames = shownFrames(tags, timeline);
  return frames.at(-1)!.shownMs - frames[0]!.shownMs;
}

/** Sound from the first keyframe on, as the ladder passes it on. */
function expectSameAs(source: readonly TimedTag[], rendition: readonly TimedTag[], timeline = 0) {
  expect(keyframeTimes(rendition, timeline)).toEqual(keyframeTimes(source, timeline));
  expect(soundFrames(rendition, timeline)).toEqual(soundFrames(source, timeline));
}

const sources: Record<string, SourceOptions> = {
  '23.976 fps': { rate: '24000/1001', gopFrames: 24 },
  '25 fps': {},
  '29.97 fps': { rate: '30000/1001', gopFrames: 30 },
  '50 fps': { rate: '50', gopFrames: 50 },
  '60 fps': { rate: '60', gopFrames: 60 },
  'B-frames': { x264: ['-bf', '3', '-b_strategy', '0'] },
  'B-frames as references, and open GOPs': { x264: ['-bf', '3', '-b_strategy', '0', '-x264-params', 'open-gop=1:b-pyramid=2'] },
  'GOPs of half a second': { gopFrames: 13 },
  'GOPs of ten seconds': { seconds: 21, gopFrames: 250 },
  'one keyframe, at the start': { gopFrames: 100_000 },
  'keyframes only': { gopFrames: 1 },
  'a variable frame rate': { filter: "select='not(between(mod(n,25),5,20)*mod(n,3))'", gopFrames: 10 },
  'no sound': { audio: undefined },
};

for (const [name, options] of Object.entries(sources)) {
  test(`${name}: every keyframe comes out once at its own time, and frames and sound are the source's`, async () => {
    const source = placeTags(await makeSource(options));
    const { renditions, events } = await transcode(source);
    expect(events.map(({ kind }) => kind)).toEqual(['started']);
    for (const rendition of renditions) {
      expectSameAs(source, rendition);
      expect(shownFrames(rendition).map(({ shownMs }) => shownMs)).toEqual(shownFrames(source).map(({ shownMs }) => shownMs));
    }
  });
}

for (const rate of ['23.976', '25', '30', '60']) {
  for (const fps of [15, 30, 50]) {
    test(`${rate} fps into profiles of ${fps} fps: every keyframe comes out once at its own time`, async () => {
      const profiles = smallProfiles.map((profile): Profile => ({ ...profile, fps }));
      const source = placeTags(await makeSource({ rate: rate === '23.976' ? '24000/1001' : rate, gopFrames: 37 }));
      const { renditions } = await transcode(source, { profiles });
      for (const rendition of renditions) {
        expectSameAs(source, rendition);
        const frameMs = 1000 / fps + 1000 / Number(rate);
        expect(Math.abs(pictureMs(rendition) - pictureMs(source))).toBeLessThanOrEqual(frameMs);
        expect(Math.abs(shownFrames(rendition).length - 4 * fps)).toBeLessThanOrEqual(2);
      }
    });
  }
}

test('timestamps that start at an hour, or wrap at 2^32 ms, change nothing', async () => {
  const tags = await makeSource();
  for (const byMs of [3_600_000, 2 ** 32 - 2_000]) {
    const source = placeTags(shift(tags, byMs));
    const { renditions } = await transcode(source);
    for (const rendition of renditions) expectSameAs(source, rendition);
  }
});

test('timestamps that go back, or jump by an hour, begin another timeline, and nothing of either is lost', async () => {
  const tags = await makeSource({ seconds: 3 });
  const source = placeTags([...shift(tags, 3_600_000), ...tags, ...shift(tags, 7_200_000)]);
  const { renditions, events } = await transcode(source);
  expect(events.map(({ kind }) => kind)).toEqual(['started', 'started', 'started']);
  for (const rendition of renditions) {
    for (const timeline of [0, 1, 2]) expectSameAs(source, rendition, timeline);
    const timelines = rendition.map(({ timeline }) => timeline);
    expect(timelines).toEqual(timelines.toSorted());
  }
});

test('a change of resolution in mid-stream changes no time, and the renditions keep their size', async () => {
  const first = await makeSource({ seconds: 2 });
  const second = await makeSource({ seconds: 2, size: '240x180' });
  const source = placeTags([...first, ...shift(second, 2_000)]);
  const { renditions } = await transcode(source);
  for (const rendition of renditions) expectSameAs(source, rendition);
});

test('sound that comes before the picture is passed on at once', async () => {
  const tags = await makeSource();
  const source = placeTags(
    tags.filter(({ kind, timestampMs, body }) => kind === 'audio' || timestampMs >= 2_000 || body[1] === 0),
  );
  const { renditions } = await transcode(source);
  for (const rendition of renditions) {
    expectSameAs(source, rendition);
    expect(rendition[0]).toMatchObject({ kind: 'audio', timeMs: 0 });
  }
});
