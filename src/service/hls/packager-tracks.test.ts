import { describe, expect, it } from 'vitest';
import {
  aacConfigs,
  audioFrame,
  audioHeader,
  avcRecords,
  broadcast,
  videoFrame,
  videoHeader,
} from '../../../test/support/flv-builder.ts';
import { sendAudioLate } from '../../../test/support/late-audio.ts';
import {
  audio,
  discontinuities,
  durations,
  expectNoHole,
  isSilence,
  kinds,
  pack,
  segmentBytes,
  startedAtMs,
  video,
} from '../../../test/support/pack.ts';
import { renditionOptions } from '../../../test/support/packager-options.ts';
import { TagPackager } from '../../../test/support/tag-packager.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { parseH264Config } from '../media/h264.ts';
import { addOwnParameters } from '../media/h264-parameters.ts';
import { makeStill } from '../media/h264-still.ts';
import { type PlacedUnit, trackOf } from '../media/media-unit.ts';
import type { PackagedSegment } from './packaged-segment.ts';
import { RenditionPackager } from './rendition-packager.ts';
import { SegmentPlan } from './segment-plan.ts';

/** The payloads of a track's units. */
const dataOf = (units: readonly PlacedUnit[], track: 'video' | 'audio') =>
  units.flatMap((unit) => (unit.type === track ? [unit.data] : []));

describe('tracks that come and go', () => {
  it('carries video without audio', () => {
    const { segments, tracks } = pack(broadcast({ durationMs: 6000, audioToMs: 0 }));
    expect(durations(segments)).toEqual([2, 2, 2]);
    expect(tracks).toEqual([{ video: { codec: 'avc1.4d401f', width: 1280, height: 720 } }]);
  });

  it('fills announced audio that never comes with silence', () => {
    const segments: PackagedSegment[] = [];
    const packager = new TagPackager({ startedAtMs, onSegment: (segment) => segments.push(segment) });
    packager.push(audioHeader());
    for (const tag of broadcast({ durationMs: 2040, audioToMs: 0 })) packager.push(tag);
    expect(kinds(segments)).toEqual(['video+audio']);
    const samples = segments.flatMap(audio);
    expect(samples.map(({ dts, data }) => [dts, isSilence(data)])).toEqual(
      Array.from({ length: Math.ceil((2000 * 48) / 1024) }, (_, index) => [index * 1024, true]),
    );
  });

  it('carries audio only, cut every 2 s to the frame', () => {
    const { segments } = pack(broadcast({ durationMs: 6000, video: false }));
    expect(kinds(segments)).toEqual(['audio', 'audio', 'audio']);
    for (const seconds of durations(segments)) expect(seconds).toBeCloseTo((94 * 1024) / 48_000, 9);
    expect(segments.every(({ parts }) => parts[0]?.independent)).toBe(true);
    const pictures = segments.map(({ videoFrames, videoBytes, typicalFps }) => ({ videoFrames, videoBytes, typicalFps }));
    expect(pictures).toEqual(segments.map(() => ({ videoFrames: 0, videoBytes: 0, typicalFps: 0 })));
  });

  it('carries an audio-only broadcast that is too short to know that no video comes, and nothing of one without media', () => {
    expect(kinds(pack(broadcast({ durationMs: 500, video: false })).segments)).toEqual(['audio']);
    expect(pack([audioHeader()]).segments).toEqual([]);
    // Video was announced, and audio waits longer for that.
    expect(pack([videoHeader(), ...broadcast({ durationMs: 500, video: false })]).segments).toEqual([]);
  });

  it('has all its audio, even what follows its last picture', () => {
    const tags = broadcast({ durationMs: 4300 }).filter(({ kind, timestampMs }) => kind === 'audio' || timestampMs < 4000);
    const { segments } = pack(tags);
    expect(segments.map((segment) => [video(segment).length, audio(segment).length])).toEqual([
      [50, 94],
      [50, 108],
    ]);
  });

  it('goes from audio only to audio and video at the first keyframe', () => {
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

  it('has silence, then the audio that was announced and comes later', () => {
    const { segments } = pack(broadcast({ durationMs: 8000, audioFromMs: 3000 }));
    expect(kinds(segments)).toEqual(Array(4).fill('video+audio'));
    expect(discontinuities(segments)).toEqual([true, false, false, false]);
    const samples = segments.flatMap(audio);
    expect(samples.every(({ dts, data }) => isSilence(data) === dts < 3000 * 48)).toBe(true);
    expectNoHole(samples);
  });

  it('adds audio with the next segment if it is announced only when it comes', () => {
    const [picture, sound] = [broadcast({ durationMs: 8000, audioToMs: 0 }), broadcast({ durationMs: 8000, video: false })];
    const announced = [audioHeader('48 kHz', 3000), ...sound.filter(({ timestampMs }) => timestampMs >= 3000)];
    const tags = [...picture, ...announced].sort((one, other) => one.timestampMs - other.timestampMs);
    const fed: PlacedUnit[] = [];
    const { segments } = pack(tags, { onPlaced: (unit) => void fed.push(unit) });
    expect(kinds(segments)).toEqual(['video', 'video', 'video+audio', 'video+audio']);
    expect(discontinuities(segments)).toEqual([true, false, true, false]);
    expect(segments.flatMap(audio).some(({ data }) => isSilence(data))).toBe(false);
    // No silence is made for the time before.
    expect(dataOf(fed, 'audio')).toEqual(announced.slice(1).map(({ body }) => body.subarray(2)));
  });

  it('continues with silence when audio stops, until it is back', () => {
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

  it('has every frame of audio that is back with its frames elsewhere, less than half a frame into the silence', () => {
    const fed: PlacedUnit[] = [];
    const tags = broadcast({ durationMs: 24_000 })
      .filter(({ kind, timestampMs }) => kind === 'video' || timestampMs < 5000 || timestampMs >= 15_500)
      .map((tag) => (tag.kind === 'audio' && tag.timestampMs > 5000 ? { ...tag, timestampMs: tag.timestampMs + 12 } : tag))
      .sort((one, other) => one.timestampMs - other.timestampMs);
    pack(tags, { onPlaced: (unit) => void fed.push(unit) });
    const heardMs = fed.filter((unit) => unit.type === 'audio' && !isSilence(unit.data)).map(({ dts }) => dts);
    const sent = tags.filter(({ kind, body }) => kind === 'audio' && body[1] === 1);
    expect(heardMs).toEqual(sent.map(({ timestampMs }) => timestampMs));
  });

  it('has silence to the end when audio stops before video', () => {
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
  ])('has silence to the end of a last segment of %i frames that the audio did not reach', (pictures, soundFrames) => {
    const plan = new SegmentPlan();
    const fed: PlacedUnit[] = [];
    const tags = broadcast({ durationMs: 4000 + pictures * 40, audioToMs: 3900 });
    const { segments } = pack(tags, { plan, onPlaced: (unit) => void fed.push(unit) });
    expect(segments.map(({ startMs, durationSeconds }) => [startMs, durationSeconds])).toEqual([
      [0, 2],
      [2000, 2],
      [4000, expect.closeTo(pictures / 25, 5)],
    ]);
    expect(kinds(segments)).toEqual(Array(3).fill('video+audio'));
    expect(discontinuities(segments)).toEqual([true, false, false]);
    // Silence from 3.904 s on, until less than a frame beyond the end of the video.
    expect(segments.flatMap(audio).map(({ dts, data }) => [dts, isSilence(data)])).toEqual(
      Array.from({ length: soundFrames }, (_, index) => [index * 1024, index >= 183]),
    );

    const rendition: PackagedSegment[] = [];
    const onSegment = (segment: PackagedSegment) => void rendition.push(segment);
    const follower = new RenditionPackager(renditionOptions({ plan, onSegment }));
    for (const unit of fed) follower.push(unit);
    follower.end();
    expect(rendition.map(segmentBytes)).toEqual(segments.map(segmentBytes));
  });

  it.each(
    [45, 90, 900].flatMap((behindMs) => [
      { behindMs, when: 'the end', after: [] },
      {
        behindMs,
        when: "a jump of the publisher's clock",
        after: broadcast({ startMs: 3_600_000, durationMs: 2000, headers: false }),
      },
    ]),
  )('has silence for the last $behindMs ms of video that have no audio, at $when', ({ behindMs, after }) => {
    const audioToMs = 4000 - behindMs;
    const { segments } = pack([...broadcast({ durationMs: 4000, audioToMs }), ...after]);
    const heard = Math.ceil((audioToMs * 48) / 1024);
    // Silence until less than a frame beyond the end of the video.
    expect(
      segments
        .slice(0, 2)
        .flatMap(audio)
        .map(({ dts, data }) => [dts, isSilence(data)]),
    ).toEqual(Array.from({ length: 188 }, (_, index) => [index * 1024, index >= heard]));
  });

  it("has silence to the end of a short last segment before the publisher's clock jumps", () => {
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
    const fed: PlacedUnit[] = [];
    const pictures = broadcast({ startMs: 40_000_000, durationMs: 3000, audioToMs: 0, headers: false });
    pack([videoHeader(), audioHeader(), audioFrame(0), ...pictures], { onPlaced: (unit) => void fed.push(unit) });
    const silent = fed.filter(({ type, dts }) => type === 'audio' && dts > 0).map(({ dts }) => dts);
    expect(silent).toEqual(Array.from({ length: 141 }, (_, index) => 40_000_000 + Math.round((index * 1024) / 48)));
  });

  it.each(
    [3_600_000, 20_000, 6_000, 3_000, -3_000, -6_000, -20_000, -3_600_000].flatMap((apartMs) => [
      { apartMs, first: 'sound', remembered: true },
      { apartMs, first: 'picture', remembered: true },
      { apartMs, first: 'sound', remembered: false },
      ...(apartMs === 3_000 ? [] : [{ apartMs, first: 'picture', remembered: false }]),
    ]),
  )(
    'has both tracks throughout if the sound is stamped $apartMs ms from the picture ($first first, sound remembered: $remembered)',
    ({ apartMs, first, remembered }) => {
      const memory = {};
      if (remembered) pack(broadcast({ durationMs: 4000 }), { tracks: memory });
      const sent = sendAudioLate(broadcast({ startMs: 4_000_000, durationMs: 20_000 }), first === 'sound' ? -25 : 25);
      const tags = sent.map((tag) => (tag.kind === 'audio' ? { ...tag, timestampMs: tag.timestampMs + apartMs } : tag));
      const fed: PlacedUnit[] = [];
      const { segments } = pack(tags, { tracks: memory, onPlaced: (unit) => void fed.push(unit) });
      expect(kinds(segments)).toEqual(Array(10).fill('video+audio'));
      expect(discontinuities(segments)).toEqual([true, ...Array(9).fill(false)]);
      const samples = segments.flatMap(audio);
      const silentMs = (samples.filter(({ data }) => isSilence(data)).length * 1024) / 48;
      // Three seconds are silent at one end, and players wait no longer than that for sound that is late.
      expect(Math.round(silentMs / 1_000)).toBe(Math.abs(apartMs) > 3_000 ? 20 : apartMs > 0 ? 3 : 6);
      const holes = samples.slice(1).map(({ dts }, index) => dts - (samples[index]?.dts ?? 0) - 1024);
      expect(Math.max(...holes)).toBeLessThan(1024);
      const begun = fed.findIndex((unit) => unit.type === 'video' && unit.keyframe);
      const heardMs = fed.slice(begun).flatMap((unit) => (unit.type === 'audio' ? [unit.dts] : []));
      expect(heardMs).toEqual([...heardMs].sort((one, other) => one - other));
    },
  );

  it.each([6_000, 8_000, 20_000])('has sound again if it is stamped %i ms ahead of a picture that stops', (apartMs) => {
    const tags = broadcast({ startMs: 4_000_000, durationMs: 45_000 })
      .filter(({ kind, timestampMs }) => kind === 'audio' || timestampMs < 4_010_000)
      .map((tag) => (tag.kind === 'audio' ? { ...tag, timestampMs: tag.timestampMs + apartMs } : tag));
    const { segments } = pack(tags);
    expect(new Set(kinds(segments))).toEqual(new Set(['video+audio']));
    const last = segments.slice(-5).flatMap(audio);
    expect(last.length).toBeGreaterThan(3 * 94);
    expect(last.every(({ data }) => !isSilence(data))).toBe(true);
  });

  it('has the sound that is back while a picture is held', () => {
    const isLost = ({ kind, timestampMs }: FlvTag) =>
      kind === 'audio' ? timestampMs >= 25_000 && timestampMs < 31_000 : timestampMs >= 21_000 && timestampMs < 24_500;
    const { segments } = pack(broadcast({ durationMs: 60_000, gopFrames: 500 }).filter((tag) => !isLost(tag)));
    const heardMs = segments.flatMap(audio).flatMap(({ dts, data }) => (isSilence(data) ? [] : [dts / 48]));
    const missingMs = heardMs.slice(1).map((timeMs, index) => [Math.round(timeMs - (heardMs[index] ?? 0)), Math.round(timeMs)]);
    expect(missingMs.filter(([ms = 0]) => ms > 100).map((hole) => hole.map((ms) => Math.round(ms / 100) / 10))).toEqual([
      [6.1, 31],
    ]);
  });

  it('has the sound that is back after a pause longer than that of a slow picture', () => {
    const tags = broadcast({ durationMs: 40_000, fps: 0.25, gopFrames: 1 }).filter(
      ({ kind, timestampMs }) => kind === 'video' || timestampMs < 17_000 || timestampMs >= 22_700,
    );
    const samples = pack(tags).segments.flatMap(audio);
    const silent = samples.filter(({ dts, data }) => dts > 22_750 * 48 && isSilence(data));
    expect(silent).toEqual([]);
  });

  it('tells silence that stands in from audio that its publisher sent', () => {
    const fed: PlacedUnit[] = [];
    pack(broadcast({ durationMs: 8000, audioToMs: 4000 }), { onPlaced: (unit) => void fed.push(unit) });
    const sound = fed.flatMap((unit) => (unit.type === 'audio' ? [[isSilence(unit.data), unit.standsIn === true]] : []));
    expect(new Set(sound.map(String))).toEqual(new Set(['false,false', 'true,true']));
  });

  it('has no more silence than may be made, right before the picture that shows that audio is missing', () => {
    const fed: PlacedUnit[] = [];
    const pictures = Array.from({ length: 60 }, (_, index) => videoFrame(index * 4000, { keyframe: true }));
    pack([videoHeader(), audioHeader(), ...pictures], { onPlaced: (unit) => void fed.push(unit) });
    const silentMs = fed.filter(({ type }) => type === 'audio').map(({ dts }) => dts);
    expect(silentMs).toEqual(silentMs.toSorted((one, other) => one - other));
    // Each picture earns 0.1 s of silence.
    const lastMs = silentMs.filter((timeMs) => timeMs > 232_000);
    expect(lastMs.map((timeMs) => timeMs - 236_000)).toEqual([-96, -75, -53, -32, -11]);
  });

  it('does not hold a picture for the hours that the audio is ahead of it', () => {
    const fed: PlacedUnit[] = [];
    const pictures = broadcast({ durationMs: 1000, audioToMs: 0 });
    const sound = broadcast({ startMs: 40_000_000, durationMs: 6000, video: false });
    const { segments } = pack([...pictures, ...sound], { onPlaced: (unit) => void fed.push(unit) });
    expect(durations(segments)).toEqual([1]);
    expect(dataOf(fed, 'video')).toEqual(pictures.slice(1).map(({ body }) => body.subarray(5)));
  });

  it.each([0, 1])('audio that begins a little after the video keeps its stamps, on timeline %i', (timeline) => {
    const tags = broadcast({ durationMs: 4000, headers: timeline === 0 })
      .map((tag) => (tag.kind === 'audio' && tag.body[1] === 1 ? { ...tag, timestampMs: tag.timestampMs + 59 } : tag))
      .sort((one, other) => one.timestampMs - other.timestampMs);
    // Until then there was silence.
    const before = timeline === 0 ? [] : broadcast({ startMs: 3_600_000, durationMs: 4000, audioToMs: 100 });
    const fed: PlacedUnit[] = [];
    pack([...before, ...tags], { onPlaced: (unit) => void fed.push(unit) });
    const heard = fed.filter((unit) => unit.type === 'audio' && unit.timeline === timeline).map(({ dts }) => dts);
    expect(heard.slice(0, 6)).toEqual([0, 21, 59, 80, 101, 123]);
  });

  it('holds the newest keyframe when video stops, at its frame rate, until a keyframe comes', () => {
    const send = (reorderMs = 0) =>
      broadcast({ durationMs: 20_000, gopFrames: 25, reorderMs }).filter(
        ({ kind, timestampMs }) => kind === 'audio' || timestampMs < 5120 || timestampMs >= 14_520,
      );
    const { segments } = pack(send());
    expect(kinds(segments)).toEqual(Array(segments.length).fill('video+audio'));
    expect(discontinuities(segments).filter(Boolean)).toHaveLength(1);
    // Held from 5.12 s to 15 s, where the next keyframe is.
    expect(durations(segments)).toEqual([1, ...Array(9).fill(2), 1].map((seconds) => expect.closeTo(seconds, 5)));
    expect(durations(pack(send(80)).segments)).toEqual(durations(segments));
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
      [5120, 7000, 9000, 11_000, 13_000].map((timeMs) => [timeMs, true]),
    );
    // The frames between keyframes each repeat the one before.
    const config = addOwnParameters(parseH264Config(Buffer.from(avcRecords['1280x720'], 'hex')));
    const still = makeStill(newest, config);
    const repeats = held.map((_, index) => index - held.findLastIndex(({ sync }, at) => sync && at <= index));
    expect(held.map(({ data }) => data)).toEqual(repeats.map((count) => (count === 0 ? newest : still?.repeat(count))));
    expectNoHole(segments.flatMap(audio));
  });

  it('holds the picture to the end when video stops before audio', () => {
    const tags = broadcast({ durationMs: 14_000 }).filter(({ kind, timestampMs }) => kind === 'audio' || timestampMs < 5000);
    const { segments } = pack(tags);
    expect(kinds(segments)).toEqual(Array(segments.length).fill('video+audio'));
    expect(durations(segments).reduce((sum, seconds) => sum + seconds, 0)).toBeCloseTo(14, 0);
  });

  it('begins with a black picture if video is announced and audio comes first', () => {
    const sound = broadcast({ durationMs: 10_000, video: false });
    const pictures = broadcast({ startMs: 7000, durationMs: 3000, audioToMs: 0, headers: false, reorderMs: 80 });
    const tags = [videoHeader(), ...[...sound, ...pictures].sort((one, other) => one.timestampMs - other.timestampMs)];
    const { segments, tracks } = pack(tags);
    expect(kinds(segments)).toEqual(Array(segments.length).fill('video+audio'));
    expect(tracks.map(({ video }) => video)).toEqual([{ codec: 'avc1.4d401f', width: 1280, height: 720 }]);
    const starts = segments.map(({ startMs, place }) => [startMs, place.discontinuity]);
    expect(starts).toEqual([0, 2000, 4000, 6000, 7080, 9080].map((startMs) => [startMs, startMs === 0]));
    const samples = segments.flatMap(video).filter(({ dts }) => dts < 7000 * 90);
    // The last one is shown until the video begins.
    const shownMs = samples.map(({ duration }) => duration / 90);
    expect(shownMs).toEqual([...Array(174).fill(40), 120]);
    expect(samples.map(({ dts, sync }) => [dts / 90, sync])).toEqual(
      Array.from({ length: 175 }, (_, index) => [index * 40, index % 50 === 0]),
    );
    expectNoHole(segments.flatMap(audio));
  });

  it('shows the video that ends a black picture from the start of its segment, even if the black one still waits', () => {
    const sound = broadcast({ durationMs: 10_000, video: false });
    const pictures = broadcast({ startMs: 7000, durationMs: 3000, audioToMs: 0, headers: false, reorderMs: 80 });
    const tags = [videoHeader(), ...[...sound, ...pictures].sort((one, other) => one.timestampMs - other.timestampMs)];
    const { segments } = pack(tags, { targetSegmentSeconds: 10 });
    const starts = segments.map((segment) => [segment.startMs, (video(segment)[0]?.dts ?? Number.NaN) / 90]);
    expect(starts).toEqual([
      [0, 0],
      [7080, 7080],
    ]);
  });

  it('keeps both tracks of the publisher before for one that sends only one of them', () => {
    const memory = {};
    pack(broadcast({ durationMs: 4000 }), { tracks: memory });
    const silent = pack(broadcast({ durationMs: 4000, audioToMs: 0 }), { tracks: memory });
    expect(kinds(silent.segments)).toEqual(['video+audio', 'video+audio']);
    expect(silent.segments.flatMap(audio).every(({ data }) => isSilence(data))).toBe(true);
    const still = pack(broadcast({ durationMs: 8000, video: false }), { tracks: memory });
    expect(new Set(kinds(still.segments))).toEqual(new Set(['video+audio']));
    expectNoHole(still.segments.flatMap(audio));
  });

  it('feeds a ladder with the stand-ins, after their parameters', () => {
    const memory = {};
    pack(broadcast({ durationMs: 4000 }), { tracks: memory });
    const fed: PlacedUnit[] = [];
    const onPlaced = (unit: PlacedUnit) => void fed.push(unit);
    const tags = broadcast({ durationMs: 7000, audioToMs: 0 });
    pack(tags, { tracks: memory, onPlaced });
    const first = fed.filter((unit) => trackOf(unit) === 'audio').slice(0, 2);
    expect(first.map((unit) => [unit.type, unit.dts, unit.type === 'config' && unit.config.record.toString('hex')])).toEqual([
      ['config', 0, aacConfigs['48 kHz']],
      ['audio', 0, false],
    ]);
    const configs = fed.flatMap((unit) =>
      unit.type === 'config' && unit.config.track === 'video' ? [unit.config.record] : [],
    );
    // The encoder's parameter sets, and that of repeated pictures.
    const record = Buffer.from(avcRecords['1280x720'], 'hex');
    expect(configs).toEqual([addOwnParameters(parseH264Config(record)).record]);
    const frames = tags.filter(({ kind }) => kind === 'video').slice(1);
    expect(dataOf(fed, 'video')).toEqual(frames.map(({ body }) => body.subarray(5)));
  });

  it('continues with audio only when video stops that never had an independent keyframe', () => {
    const [first, ...tags] = broadcast({ durationMs: 20_000, openGops: true }).filter(
      ({ kind, timestampMs, body }) =>
        kind === 'audio' || body.readUInt8(1) === 0 || (timestampMs >= 1000 && timestampMs < 5000) || timestampMs >= 14_520,
    );
    const { segments } = pack([first, ...tags].filter((tag) => tag !== undefined));
    expect(new Set(kinds(segments))).toEqual(new Set(['video+audio', 'audio']));
    expect(kinds(segments).at(-1)).toBe('video+audio');
    // Video is back from a keyframe on.
    const shown = segments.filter(({ init }) => init.tracks.video);
    expect(shown.map((segment) => video(segment)[0]?.sync)).toEqual(shown.map(() => true));
    expectNoHole(segments.flatMap(audio));
  });

  it.each([
    ['at the start', 0, []],
    ['hours after it', 4_000_000, []],
    ["after the publisher's clock was set back", 0, broadcast({ startMs: 4_000_000, durationMs: 2000 })],
  ])('has the sound that comes before its picture %s', (_when, startMs, before) => {
    const { segments } = pack([...before, ...sendAudioLate(broadcast({ startMs, durationMs: 4000 }), -300)]);
    const samples = segments.slice(-2).flatMap(audio);
    expect(samples.filter(({ data }) => isSilence(data))).toEqual([]);
    expect(samples).toHaveLength(188);
    expectNoHole(samples);
  });

  it('divides audio only where its format changes', () => {
    const changed = Array.from({ length: 130 }, (_, index) => audioFrame(5000 + Math.floor((index * 1024) / 44.1)));
    const { segments } = pack([...broadcast({ durationMs: 5000, video: false }), audioHeader('44.1 kHz', 5000), ...changed]);
    expect(segments.map(({ init, place }) => [init.tracks.audio?.sampleRateHz, place.discontinuity])).toEqual([
      [48_000, true],
      [48_000, false],
      [48_000, false],
      [44_100, true],
      [44_100, false],
    ]);
    expect(segments.map((segment) => audio(segment).length)).toEqual([94, 94, 47, 87, 42]);
  });

  it('waits half a second of video for late audio, and loses none that comes even later', () => {
    const tags = sendAudioLate(broadcast({ durationMs: 10_000 }), 800);
    const { segments } = pack([videoHeader(), audioHeader(), ...tags]);
    expect(durations(segments)).toEqual([2, 2, 2, 2, 2]);
    expect(discontinuities(segments)).toEqual([true, false, false, false, false]);
    const samples = segments.flatMap(audio);
    expect(samples.map(({ dts }) => dts)).toEqual(samples.map((_, index) => index * 1024));
    expect(samples).toHaveLength(Math.ceil((10_000 * 48) / 1024));
  });
});
