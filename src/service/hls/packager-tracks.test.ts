import { describe, expect, it } from 'vitest';
import { audioFrame, audioHeader, avcRecords, broadcast, videoHeader } from '../../../test/support/flv-builder.ts';
import type { ReadSample } from '../../../test/support/fmp4-reader.ts';
import {
  audio,
  discontinuities,
  durations,
  isSilence,
  kinds,
  pack,
  segmentBytes,
  startedAtMs,
  video,
} from '../../../test/support/pack.ts';
import type { FlvTag } from '../media/flv-tag.ts';
import { formatVideoHeader } from '../media/flv-video.ts';
import { parseH264Config } from '../media/h264.ts';
import { addOwnParameters } from '../media/h264-parameters.ts';
import type { TimedTag } from '../media/timed-tag.ts';
import type { PackagedSegment } from './packaged-segment.ts';
import { Packager } from './packager.ts';
import { SegmentPlan } from './segment-plan.ts';

describe('tracks that come and go', () => {
  it('carries video without sound', () => {
    const { segments, tracks } = pack(broadcast({ durationMs: 6000, audioToMs: 0 }));
    expect(durations(segments)).toEqual([2, 2, 2]);
    expect(tracks).toEqual([{ video: { codec: 'avc1.4d401f', width: 1280, height: 720 } }]);
  });

  it('fills sound that was announced and never came with silence', () => {
    const segments: PackagedSegment[] = [];
    const packager = new Packager({ startedAtMs, onSegment: (segment) => segments.push(segment) });
    packager.push(audioHeader());
    for (const tag of broadcast({ durationMs: 2040, audioToMs: 0 })) packager.push(tag);
    expect(kinds(segments)).toEqual(['video+audio']);
    const samples = segments.flatMap(audio);
    expect(samples.map(({ dts, data }) => [dts, isSilence(data)])).toEqual(
      Array.from({ length: Math.ceil((2000 * 48) / 1024) }, (_, index) => [index * 1024, true]),
    );
  });

  it('carries sound alone, cut every 2 s to the frame', () => {
    const { segments } = pack(broadcast({ durationMs: 6000, video: false }));
    expect(kinds(segments)).toEqual(['audio', 'audio', 'audio']);
    for (const seconds of durations(segments)) expect(seconds).toBeCloseTo((94 * 1024) / 48_000, 9);
    expect(segments.every(({ independent }) => independent)).toBe(true);
  });

  it('carries a broadcast of sound that is too short to know that no video comes', () => {
    expect(kinds(pack(broadcast({ durationMs: 500, video: false })).segments)).toEqual(['audio']);
  });

  it('goes from sound alone to sound and picture at the first keyframe', () => {
    const sound = broadcast({ durationMs: 10_000, video: false });
    const pictures = broadcast({ startMs: 5000, durationMs: 5000, audioToMs: 0 });
    const tags = [...sound, ...pictures].sort((one, other) => one.timestampMs - other.timestampMs);
    const { segments } = pack(tags);
    expect(kinds(segments)).toEqual(['audio', 'audio', 'audio', 'video+audio', 'video+audio', 'video+audio']);
    expect(discontinuities(segments)).toEqual([true, false, false, true, false, false]);
    const total = durations(segments).reduce((sum, seconds) => sum + seconds, 0);
    expect(total).toBeCloseTo(10, 5);
    const samples = segments.flatMap(audio);
    expect(samples.map(({ dts }) => dts)).toEqual(samples.map((_, index) => index * 1024));
  });

  it('takes up sound that comes later where it was announced, after silence', () => {
    const { segments } = pack(broadcast({ durationMs: 8000, audioFromMs: 3000 }));
    expect(kinds(segments)).toEqual(Array(4).fill('video+audio'));
    expect(discontinuities(segments)).toEqual([true, false, false, false]);
    const samples = segments.flatMap(audio);
    expect(samples.every(({ dts, data }) => isSilence(data) === dts < 3000 * 48)).toBe(true);
    expectNoHole(samples);
  });

  it('takes up sound that is announced only when it comes with the next segment', () => {
    const [picture, sound] = [broadcast({ durationMs: 8000, audioToMs: 0 }), broadcast({ durationMs: 8000, video: false })];
    const announced = [audioHeader('48 kHz', 3000), ...sound.filter(({ timestampMs }) => timestampMs >= 3000)];
    const tags = [...picture, ...announced].sort((one, other) => one.timestampMs - other.timestampMs);
    const { segments } = pack(tags);
    expect(kinds(segments)).toEqual(['video', 'video', 'video+audio', 'video+audio']);
    expect(discontinuities(segments)).toEqual([true, false, true, false]);
    expect(segments.flatMap(audio).some(({ data }) => isSilence(data))).toBe(false);
  });

  it('goes on with silence when sound stops, until it is back', () => {
    const tags = broadcast({ durationMs: 24_000 }).filter(
      ({ kind, timestampMs }) => kind === 'video' || timestampMs < 5000 || timestampMs >= 15_500,
    );
    const { segments } = pack(tags);
    expect(durations(segments)).toEqual(Array(12).fill(2));
    expect(kinds(segments)).toEqual(Array(12).fill('video+audio'));
    expect(discontinuities(segments).filter(Boolean)).toHaveLength(1);
    const samples = segments.flatMap(audio);
    expect(samples.every(({ dts, data }) => isSilence(data) === (dts >= 5000 * 48 && dts < 15_500 * 48))).toBe(true);
    expectNoHole(samples);
  });

  it('goes on with silence to the end when sound stops before the picture', () => {
    const { segments } = pack(broadcast({ durationMs: 10_000, audioToMs: 4_500 }));
    expect(kinds(segments)).toEqual(Array(5).fill('video+audio'));
    const samples = segments.flatMap(audio);
    expectNoHole(samples);
    expect((samples.at(-1)?.dts ?? 0) / 48).toBeGreaterThan(9_920);
  });

  it.each([
    [1, 190],
    [2, 192],
    [3, 194],
  ])('has silence to the end of a last segment of %i pictures that the sound has not come to', (pictures, soundFrames) => {
    const plan = new SegmentPlan();
    const fed: TimedTag[] = [];
    const tags = broadcast({ durationMs: 4000 + pictures * 40, audioToMs: 3900 });
    const { segments } = pack(tags, { plan, onTimed: (tag) => void fed.push(tag) });
    expect(segments.map(({ startMs, durationSeconds }) => [startMs, durationSeconds])).toEqual([
      [0, 2],
      [2000, 2],
      [4000, expect.closeTo(pictures / 25, 5)],
    ]);
    expect(kinds(segments)).toEqual(Array(3).fill('video+audio'));
    expect(discontinuities(segments)).toEqual([true, false, false]);
    // From 3.904 s on, and over the end of the picture by less than a frame.
    expect(segments.flatMap(audio).map(({ dts, data }) => [dts, isSilence(data)])).toEqual(
      Array.from({ length: soundFrames }, (_, index) => [index * 1024, index >= 183]),
    );

    const rendition: PackagedSegment[] = [];
    const onSegment = (segment: PackagedSegment) => void rendition.push(segment);
    const follower = new Packager({ startedAtMs, plan, follow: true, onSegment });
    for (const tag of fed) follower.pushTimed(tag);
    follower.end();
    expect(rendition.map(segmentBytes)).toEqual(segments.map(segmentBytes));
  });

  it('has silence to the end of a short last segment before the clock of the publisher jumps', () => {
    const before = broadcast({ durationMs: 2040, audioToMs: 1900 });
    const { segments } = pack([...before, ...broadcast({ startMs: 3_600_000, durationMs: 2000, headers: false })]);
    expect(kinds(segments)).toEqual(Array(3).fill('video+audio'));
    expect(discontinuities(segments)).toEqual([true, false, true]);
    const [first = [], after = []] = [segments.slice(0, 2), segments.slice(2)].map((run) => run.flatMap(audio));
    expect(first.map(({ dts, data }) => [dts, isSilence(data)])).toEqual(
      Array.from({ length: 96 }, (_, index) => [index * 1024, index >= 90]),
    );
    expect(after.some(({ data }) => isSilence(data))).toBe(false);
  });

  it('does not fill the time between tracks that are hours apart', () => {
    const fed: TimedTag[] = [];
    const pictures = broadcast({ startMs: 40_000_000, durationMs: 3000, audioToMs: 0, headers: false });
    pack([videoHeader(), audioHeader(), audioFrame(0), ...pictures], { onTimed: (tag) => void fed.push(tag) });
    const silent = fed.filter(({ kind, timeMs }) => kind === 'audio' && timeMs > 0).map(({ timeMs }) => timeMs);
    // Sound counts as away once a second of picture has come.
    expect(silent).toEqual(Array.from({ length: 92 }, (_, index) => 40_001_000 + Math.round((index * 1024) / 48)));
  });

  it('does not hold a picture for the hours that the sound is ahead of it', () => {
    const fed: TimedTag[] = [];
    const pictures = broadcast({ durationMs: 1000, audioToMs: 0 });
    const sound = broadcast({ startMs: 40_000_000, durationMs: 6000, video: false });
    const { segments } = pack([...pictures, ...sound], { onTimed: (tag) => void fed.push(tag) });
    expect(durations(segments)).toEqual([1]);
    const [, ...fedPictures] = fed.filter(({ kind }) => kind === 'video').map(({ body }) => body);
    expect(fedPictures).toEqual(pictures.slice(1).map(({ body }) => body));
  });

  it('holds the newest keyframe when the picture stops, at its frame rate, until a keyframe is back', () => {
    const tags = broadcast({ durationMs: 20_000 }).filter(
      ({ kind, timestampMs }) => kind === 'audio' || timestampMs < 5120 || timestampMs >= 14_520,
    );
    const { segments } = pack(tags);
    expect(kinds(segments)).toEqual(Array(segments.length).fill('video+audio'));
    expect(discontinuities(segments).filter(Boolean)).toHaveLength(1);
    // Held from 5.12 s to 15 s, where the next keyframe is that ends no segment yet.
    expect(durations(segments)).toEqual(Array(10).fill(expect.closeTo(2, 5)));
    const pictures = segments.flatMap(video);
    const [before, held, after] = [
      pictures.filter(({ dts }) => dts < 5120 * 90),
      pictures.filter(({ dts }) => dts >= 5120 * 90 && dts < 15_000 * 90),
      pictures.filter(({ dts }) => dts >= 15_000 * 90),
    ];
    expect([before.length, after.length]).toEqual([5.12 * 25, 5 * 25]);
    expect(held.map(({ dts }) => dts / 90)).toEqual(Array.from({ length: 247 }, (_, index) => 5120 + index * 40));
    const newest = before.findLast(({ sync }) => sync)?.data ?? Buffer.alloc(0);
    expect(held.filter(({ sync }) => sync).map(({ dts, data }) => [dts / 90, data.equals(newest)])).toEqual(
      [5120, 6000, 8000, 10_000, 12_000, 14_000].map((timeMs) => [timeMs, true]),
    );
    expect(held.filter(({ sync }) => !sync).every(({ data }) => data.length < 60)).toBe(true);
    expectNoHole(segments.flatMap(audio));
  });

  it('holds the picture to the end when that stops before the sound', () => {
    const tags = broadcast({ durationMs: 14_000 }).filter(({ kind, timestampMs }) => kind === 'audio' || timestampMs < 5000);
    const { segments } = pack(tags);
    expect(kinds(segments)).toEqual(Array(segments.length).fill('video+audio'));
    expect(durations(segments).reduce((sum, seconds) => sum + seconds, 0)).toBeCloseTo(14, 0);
  });

  it('begins with a black picture where one is announced and sound comes first', () => {
    const sound = broadcast({ durationMs: 10_000, video: false });
    const pictures = broadcast({ startMs: 7000, durationMs: 3000, audioToMs: 0, headers: false, reorderMs: 80 });
    const tags = [videoHeader(), ...[...sound, ...pictures].sort((one, other) => one.timestampMs - other.timestampMs)];
    const { segments, tracks } = pack(tags);
    expect(kinds(segments)).toEqual(Array(segments.length).fill('video+audio'));
    expect(tracks.map(({ video }) => video)).toEqual([{ codec: 'avc1.4d401f', width: 1280, height: 720 }]);
    const starts = segments.map(({ startMs, discontinuity }) => [startMs, discontinuity]);
    expect(starts).toEqual([0, 2000, 4000, 6000, 8080].map((startMs) => [startMs, startMs === 0]));
    const samples = segments.flatMap(video).filter(({ dts }) => dts < 7000 * 90);
    // The last one is shown until the picture is.
    const shownMs = samples.map(({ duration }) => duration / 90);
    expect(shownMs).toEqual([...Array(174).fill(40), 120]);
    expect(samples.map(({ dts, sync }) => [dts / 90, sync])).toEqual(
      Array.from({ length: 175 }, (_, index) => [index * 40, index % 50 === 0]),
    );
    expectNoHole(segments.flatMap(audio));
  });

  it('keeps the tracks of the publisher before, who sent both, for one who sends either alone', () => {
    const memory = {};
    pack(broadcast({ durationMs: 4000 }), { tracks: memory });
    const silent = pack(broadcast({ durationMs: 4000, audioToMs: 0 }), { tracks: memory });
    expect(kinds(silent.segments)).toEqual(['video+audio', 'video+audio']);
    expect(silent.segments.flatMap(audio).every(({ data }) => isSilence(data))).toBe(true);
    const still = pack(broadcast({ durationMs: 8000, video: false }), { tracks: memory });
    expect(new Set(kinds(still.segments))).toEqual(new Set(['video+audio']));
    expectNoHole(still.segments.flatMap(audio));
  });

  it('feeds a ladder with what stands in, after the parameters that it is coded with', () => {
    const memory = {};
    pack(broadcast({ durationMs: 4000 }), { tracks: memory });
    const fed: TimedTag[] = [];
    const onTimed = (tag: TimedTag) => void fed.push(tag);
    const tags = broadcast({ durationMs: 7000, audioToMs: 0 });
    pack(tags, { tracks: memory, onTimed });
    const first = fed.filter(({ kind }) => kind === 'audio').slice(0, 2);
    expect(first.map(({ timeMs, body }) => [timeMs, body.toString('hex')])).toEqual([
      [0, audioHeader().body.toString('hex')],
      [0, expect.stringMatching(/^af01/)],
    ]);
    const bodies = (all: readonly Pick<FlvTag, 'kind' | 'body'>[]) =>
      all.filter(({ kind }) => kind === 'video').map(({ body }) => body.toString('hex'));
    const [header, ...frames] = bodies(fed);
    // The encoder's parameter sets, and that of repeated pictures.
    const record = Buffer.from(avcRecords['1280x720'], 'hex');
    expect(header).toBe(formatVideoHeader(addOwnParameters(parseH264Config(record))).toString('hex'));
    expect(frames).toEqual(bodies(tags).slice(1));
  });

  it('goes on with sound alone when a picture stops that had no keyframe which stands by itself', () => {
    const [first, ...tags] = broadcast({ durationMs: 20_000, openGops: true }).filter(
      ({ kind, timestampMs, body }) =>
        kind === 'audio' || body.readUInt8(1) === 0 || (timestampMs >= 1000 && timestampMs < 5000) || timestampMs >= 14_520,
    );
    const { segments } = pack([first, ...tags].filter((tag) => tag !== undefined));
    expect(new Set(kinds(segments))).toEqual(new Set(['video+audio', 'audio']));
    expect(kinds(segments).at(-1)).toBe('video+audio');
    expectNoHole(segments.flatMap(audio));
  });

  it('waits half a second of video for late sound, and loses none of what comes even later', () => {
    const late = broadcast({ durationMs: 10_000 });
    const tags = late
      .map((tag) => ({ tag, sentAtMs: tag.timestampMs + (tag.kind === 'audio' ? 800 : 0) }))
      .sort((one, other) => one.sentAtMs - other.sentAtMs)
      .map(({ tag }) => tag);
    const { segments } = pack([videoHeader(), audioHeader(), ...tags]);
    expect(durations(segments)).toEqual([2, 2, 2, 2, 2]);
    expect(discontinuities(segments)).toEqual([true, false, false, false, false]);
    const samples = segments.flatMap(audio);
    expect(samples.map(({ dts }) => dts)).toEqual(samples.map((_, index) => index * 1024));
    expect(samples).toHaveLength(Math.ceil((10_000 * 48) / 1024));
  });
});

/** Each sample follows the one before, 1024 samples of 48 kHz later. */
function expectNoHole(samples: readonly ReadSample[]): void {
  const [first] = samples;
  expect(samples.map(({ dts }) => dts)).toEqual(samples.map((_, index) => (first?.dts ?? 0) + index * 1024));
}
