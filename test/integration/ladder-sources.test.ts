import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatFlvHeader, formatFlvTag } from '../../src/service/flv/flv-file.ts';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { formatUnitTag } from '../../src/service/flv/unit-tag.ts';
import { type PlacedUnit, sizeOf, trackOf } from '../../src/service/media/media-unit.ts';
import type { Profile } from '../../src/shared/model/profile.ts';
import { countCombs } from '../support/count-combs.ts';
import { enhanceBody } from '../support/enhanced-flv.ts';
import { decodeFirstPicture } from '../support/ffmpeg.ts';
import { announceHighEfficiency } from '../support/high-efficiency.ts';
import { makeOddFfmpeg } from '../support/odd-ffmpeg.ts';
import { makeSource, type SourceOptions, shiftTags } from '../support/synthetic-source.ts';
import { keyframeTimes, placeTags, shownFrames, smallProfiles, soundFrames, transcode } from '../support/transcode-stand.ts';

/** From the first frame to the last. */
function pictureMs(tags: readonly PlacedUnit[], timeline = 0): number {
  const frames = shownFrames(tags, timeline);
  return frames.at(-1)!.shownMs - frames[0]!.shownMs;
}

/** Its video as an FLV file. */
function formatVideo(units: readonly PlacedUnit[]): Buffer {
  const parts = units.filter((unit) => trackOf(unit) === 'video').map((unit) => formatFlvTag(formatUnitTag(unit)));
  return Buffer.concat([formatFlvHeader({ hasAudio: false, hasVideo: true }), ...parts]);
}

function expectSameAs(source: readonly PlacedUnit[], rendition: readonly PlacedUnit[], timeline = 0) {
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
  'intra refresh, without keyframes that can be decoded alone': { x264: ['-bf', '0', '-x264-params', 'intra-refresh=1'] },
  'a variable frame rate': { filter: "select='not(between(mod(n,25),5,20)*mod(n,3))'", gopFrames: 10 },
  'no sound': { audio: undefined },
};

/** A frame's NAL units that are not of this type, each with its four-byte length prefix. */
function withoutNals(data: Buffer, type: number): Buffer {
  const kept: Buffer[] = [];
  for (let position = 0; position < data.length; ) {
    const end = position + 4 + data.readUInt32BE(position);
    if ((data.readUInt8(position + 4) & 0x1f) !== type) kept.push(data.subarray(position, end));
    position = end;
  }
  return Buffer.concat(kept);
}

for (const [name, options] of Object.entries(sources)) {
  test.concurrent(`${name}: every keyframe comes out once at its own time, and video frames and audio are the source's`, async () => {
    const source = placeTags(await makeSource(options));
    const { renditions, events } = await transcode(source);
    expect(events.map(({ code }) => code)).toEqual(['started']);
    for (const rendition of renditions) {
      expectSameAs(source, rendition);
      expect(shownFrames(rendition).map(({ shownMs }) => shownMs)).toEqual(shownFrames(source).map(({ shownMs }) => shownMs));
    }
  });
}

for (const rate of ['23.976', '25', '30', '60']) {
  for (const fps of [15, 30, 50]) {
    test.concurrent(`${rate} fps into profiles of ${fps} fps: every keyframe comes out once at its own time`, async () => {
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

test.concurrent('timestamps that start at an hour, or wrap at 2^32 ms, change nothing', async () => {
  const tags = await makeSource();
  for (const byMs of [3_600_000, 2 ** 32 - 2_000]) {
    const source = placeTags(shiftTags(tags, byMs));
    const { renditions } = await transcode(source);
    for (const rendition of renditions) expectSameAs(source, rendition);
  }
});

test.concurrent('timestamps that go back, or jump by an hour, begin a new timeline, and no media is lost', async () => {
  const tags = await makeSource({ seconds: 3 });
  const source = placeTags([...shiftTags(tags, 3_600_000), ...tags, ...shiftTags(tags, 7_200_000)]);
  const { renditions, events } = await transcode(source);
  expect(events.map(({ code }) => code)).toEqual(['started', 'started', 'started']);
  for (const rendition of renditions) {
    for (const timeline of [0, 1, 2]) expectSameAs(source, rendition, timeline);
    const timelines = rendition.map(({ timeline }) => timeline);
    expect(timelines).toEqual(timelines.toSorted());
  }
});

test.concurrent('a clock jump needs no new sequence headers: the parameters stay the same', async () => {
  const tags = await makeSource({ seconds: 2 });
  const isHeader = ({ kind, body }: FlvTag) => kind === 'script' || body[1] === 0;
  const source = placeTags([...tags, ...shiftTags(tags, 3_600_000).filter((tag) => !isHeader(tag))]);
  const { renditions, events } = await transcode(source);
  expect(events.map(({ code }) => code)).toEqual(['started', 'started']);
  for (const rendition of renditions) for (const timeline of [0, 1]) expectSameAs(source, rendition, timeline);
});

test.concurrent("a resolution change mid-stream keeps the timestamps and the renditions' sizes", async () => {
  const first = await makeSource({ seconds: 2 });
  const second = await makeSource({ seconds: 2, size: '240x180' });
  const source = placeTags([...first, ...shiftTags(second, 2_000)]);
  const { renditions, events } = await transcode(source);
  expect(events.map(({ code }) => code)).toEqual(['started', 'started']);
  for (const [index, rendition] of renditions.entries()) {
    expectSameAs(source, rendition);
    const configs = rendition.flatMap((unit) => (unit.type === 'config' && unit.config.track === 'video' ? [unit.config] : []));
    const { width, height } = smallProfiles[index]!;
    expect(configs).toMatchObject([
      { width, height },
      { width, height },
    ]);
  }
});

test.concurrent("each rendition has its profile's size and approximate bitrate, a matching level, and bars where the aspect ratio differs", async () => {
  // Noise, so that every bit is needed.
  const noise = { size: '320x240', filter: 'noise=alls=50:allf=t' };
  const profiles: Profile[] = [
    { name: 'wider', bitrate: 1_200_000, fps: 0, width: 426, height: 240 },
    { name: 'higher', bitrate: 400, fps: 0, width: 160, height: 200 },
  ];
  const { renditions } = await transcode(placeTags(await makeSource({ seconds: 6, ...noise })), {
    profiles,
    sourceFps: () => 25,
  });
  const configs = renditions.map((units) => {
    const announced = units.find((unit) => trackOf(unit) === 'video');
    return announced?.type === 'config' && announced.config;
  });
  const square = { horizontal: 1, vertical: 1 };
  // Main profile, of the levels 2.1 and 1.3 (ISO/IEC 14496-10 table A-1).
  expect(configs).toMatchObject([
    { width: 426, height: 240, sampleAspect: square, codec: 'avc1.4d4015' },
    { width: 160, height: 200, sampleAspect: square, codec: 'avc1.4d400d' },
  ]);
  for (const [index, bitrateBps] of [1_200_000, 400_000].entries()) {
    const pictures = renditions[index]!.filter((unit) => trackOf(unit) === 'video');
    const sizeBytes = pictures.reduce((sum, unit) => sum + sizeOf(unit), 0);
    expect(Math.abs((sizeBytes * 8) / 6 / bitrateBps - 1)).toBeLessThanOrEqual(0.1);
  }
  const [wider, higher] = await Promise.all(renditions.map((units) => decodeFirstPicture(formatVideo(units))));
  const column = (at: number) => Math.max(...wider!.filter((_, index) => index % 426 === at));
  const row = (at: number) => Math.max(...higher!.subarray(at * 160, (at + 1) * 160));
  // The picture covers 320 of 426 columns, and 120 of 200 rows; decoders blur its edges.
  expect([0, 48, 378, 425].map(column).filter((brightness) => brightness > 40)).toEqual([]);
  expect([0, 36, 164, 199].map(row).filter((brightness) => brightness > 40)).toEqual([]);
  expect([58, 213, 368].map(column).filter((brightness) => brightness < 100)).toEqual([]);
  expect([44, 100, 156].map(row).filter((brightness) => brightness < 100)).toEqual([]);
});

/** A white bar on black that moves by 8 pixels from each field to the next. */
const interlacedBar: SourceOptions = {
  rate: '50',
  size: '320x240',
  filter:
    "drawbox=t=fill:c=black[black];color=white:size=40x240:rate=50[bar];[black][bar]overlay=x='mod(t*400,280)'," +
    'tinterlace=interleave_top,setfield=tff',
  x264: ['-bf', '2', '-b_strategy', '0', '-flags', '+ildct+ilme'],
};

test.concurrent.each([0, 15, 25, 50])(
  'an interlaced source has no combs in a rendition of %i fps, and every keyframe is kept',
  async (fps) => {
    const source = placeTags(await makeSource(interlacedBar));
    const size = { width: 320, height: 240 };
    const { renditions } = await transcode(source, { profiles: [{ name: '240p', bitrate: 2_000_000, fps, ...size }] });
    const [rendition] = renditions as [PlacedUnit[]];
    expectSameAs(source, rendition);
    if (fps === 0) expect(shownFrames(rendition)).toEqual(shownFrames(source));
    const decodeLastKeyframe = (units: readonly PlacedUnit[]) => {
      const lastAt = units.findLastIndex((unit) => unit.type === 'video' && unit.keyframe);
      return decodeFirstPicture(formatVideo(units.filter(({ type }, index) => type === 'config' || index >= lastAt)));
    };
    expect(countCombs(await decodeLastKeyframe(source), size)).toBeGreaterThan(1_000);
    expect(countCombs(await decodeLastKeyframe(rendition), size)).toBe(0);
  },
);

test.concurrent('audio that comes before video is passed on at once', async () => {
  const tags = await makeSource();
  const source = placeTags(
    tags.filter(({ kind, timestampMs, body }) => kind === 'audio' || timestampMs >= 2_000 || body[1] === 0),
  );
  const { renditions } = await transcode(source);
  for (const rendition of renditions) {
    expectSameAs(source, rendition);
    expect(rendition[0]).toMatchObject({ type: 'config', config: { track: 'audio' }, dts: 0 });
  }
});

test.concurrent('keyframes that only FLV marks as such come out as keyframes', async () => {
  const tags = await makeSource({ x264: ['-bf', '2', '-b_strategy', '0', '-x264-params', 'open-gop=1'] });
  const recoveryPoints = 6;
  const source = placeTags(tags).map((unit) =>
    unit.type === 'video' ? { ...unit, data: withoutNals(unit.data, recoveryPoints) } : unit,
  );
  expect(keyframeTimes(source)).toHaveLength(4);
  const { renditions } = await transcode(source);
  for (const rendition of renditions) expectSameAs(source, rendition);
});

test.concurrent('H.264 in Enhanced RTMP tags is encoded like any other', async () => {
  const tags = await makeSource({ x264: ['-bf', '2'] });
  const source = placeTags(tags);
  const enhanced = placeTags(tags.map((tag) => ({ ...tag, body: enhanceBody(tag) })));
  const { renditions } = await transcode(enhanced);
  for (const rendition of renditions) expectSameAs(source, rendition);
});

test.concurrent('an ffmpeg that has run until FLV timestamps are exhausted is replaced at a keyframe, and nothing is lost', async () => {
  const source = placeTags(await makeSource());
  const { renditions, events } = await transcode(source, { bounds: { maxRunMs: 1_500 } });
  expect(events.map(({ code }) => code)).toEqual(['started', 'started']);
  for (const rendition of renditions) {
    expectSameAs(source, rendition);
    expect(shownFrames(rendition)).toHaveLength(shownFrames(source).length);
  }
});

test.concurrent('audio that is encoded keeps its times with B-frames, and each frame comes once where an ffmpeg is replaced', async () => {
  const source = announceHighEfficiency(placeTags(await makeSource({ x264: ['-bf', '3', '-b_strategy', '0'] })));
  const { renditions, events } = await transcode(source, { bounds: { maxRunMs: 1_500 } });
  expect(events.map(({ code }) => code)).toEqual(['started', 'started']);
  // The source's frames are as long as those of the encoder: both are numbered from the first one on.
  const numbers = (units: readonly PlacedUnit[]) =>
    units.flatMap(({ type, dts }) => (type === 'audio' ? [Math.round((dts * 48) / 1024)] : []));
  const sent = numbers(source);
  for (const rendition of renditions) expect(numbers(rendition)).toEqual(sent);
});

test.concurrent('encoders are told the announced frame rate where the bitstream has none: they divide the bitrate by it', async () => {
  const report = join(await mkdtemp(join(tmpdir(), 'tallylight-report-')), 'report');
  const ffmpegPath = await makeOddFfmpeg(`export FFREPORT='file=${report}:level=40'`);
  // Its parameters count milliseconds, not frames.
  const source = placeTags(await makeSource({ seconds: 1 }));
  expect(source.flatMap((unit) => (unit.type === 'video' ? (unit.config.nominalFps ?? []) : []))).toEqual([]);
  await transcode(source, { ffmpegPath, sourceFps: () => 25 });
  expect([...new Set((await readFile(report, 'utf8')).match(/ fr:\S+/g))]).toEqual([' fr:25/1']);
});
