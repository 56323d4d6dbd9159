import { describe, expect, it } from 'vitest';
import { audioFrame, audioHeader, broadcast, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { audio, discontinuities, durations, isSilence, kinds, pack, startedAtMs, video } from '../../../test/support/pack.ts';
import { packagerOptions } from '../../../test/support/packager-options.ts';
import { TagPackager } from '../../../test/support/tag-packager.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { UnitReader } from '../flv/unit-reader.ts';
import type { MediaUnit } from '../media/media-unit.ts';
import type { PackagedSegment } from './packaged-segment.ts';
import { SourcePackager } from './source-packager.ts';

/** A frame with a time in 90 kHz, as from a protocol that carries MPEG-TS. */
function videoUnitAt(dts: number, keyframe: boolean): MediaUnit {
  const reader = new UnitReader();
  reader.readUnit(videoHeader());
  const unit = reader.readUnit(videoFrame(0, { keyframe }));
  if (unit?.type !== 'video') throw new Error('It is no frame.');
  return { ...unit, timescale: 90_000, dts, pts: dts };
}

function packUnits(units: readonly MediaUnit[]): PackagedSegment[] {
  const segments: PackagedSegment[] = [];
  const onSegment = (segment: PackagedSegment) => void segments.push(segment);
  const packager = new SourcePackager(packagerOptions({ startedAtMs, onSegment }));
  const header = new UnitReader().readUnit(videoHeader());
  for (const unit of header ? [header, ...units] : units) packager.push(unit, 0);
  packager.end();
  return segments;
}

describe('the timeline of segments', () => {
  it('begins video and audio together, even with B-frames, and each segment where the one before ended', () => {
    const { segments } = pack(broadcast({ startMs: 5000, durationMs: 6000, reorderMs: 80 }));
    // The keyframe is shown 80 ms after its decode time.
    expect(segments.map((segment) => video(segment)[0]?.dts)).toEqual([5080, 7080, 9080].map((ms) => ms * 90));
    for (const segment of segments) {
      const startMs = (video(segment)[0]?.dts ?? 0) / 90;
      const audioMs = (audio(segment)[0]?.dts ?? 0) / 48;
      expect(audioMs - startMs).toBeGreaterThanOrEqual(0);
      expect(audioMs - startMs).toBeLessThan(1024 / 48);
    }
    // Presentation times are those of the publisher.
    const [key, next] = video(segments[0] as PackagedSegment);
    expect([key, next].map((sample) => ((sample?.dts ?? 0) + (sample?.compositionOffset ?? 0)) / 90)).toEqual([5080, 5120]);
  });

  it('keeps the times of 90 kHz, of a steady rate and of none, to within a tenth of a millisecond', () => {
    const steady = Array.from({ length: 90 }, (_, index) => Math.round(index * (90_000 / (24 / 1.001))));
    const unsteady = Array.from({ length: 90 }, (_, index) => index * 3_003 + (index % 5) * 101);
    for (const ticks of [steady, unsteady]) {
      const samples = packUnits(ticks.map((dts, index) => videoUnitAt(dts, index % 30 === 0))).flatMap(video);
      expect(samples).toHaveLength(ticks.length);
      for (const [index, { dts }] of samples.entries()) expect(Math.abs(dts - (ticks[index] ?? 0))).toBeLessThan(9);
    }
  });

  it('keeps presentation times if the first keyframe is shown before it is decoded', () => {
    const tags = [
      videoHeader(),
      videoFrame(0, { keyframe: true, compositionTimeMs: -20 }),
      videoFrame(40, { compositionTimeMs: 10 }),
    ];
    const [segment] = pack(tags).segments;
    expect(video(segment as PackagedSegment).map((sample) => sample.dts + sample.compositionOffset)).toEqual([-1800, 4500]);
  });

  it('does not let rounding add up: every AAC frame begins where the one before ended', () => {
    const { segments } = pack(broadcast({ durationMs: 60_000 }));
    const samples = segments.flatMap(audio);
    expect(samples).toHaveLength(Math.ceil((60_000 * 48) / 1024));
    expect(samples.map(({ dts }) => dts)).toEqual(samples.map((_, index) => index * 1024));
    expect(new Set(samples.map(({ duration }) => duration))).toEqual(new Set([1024]));
  });

  it('fills a hole in the audio with as many silent frames as fit', () => {
    const tags = broadcast({ durationMs: 4000 }).filter(
      ({ kind, timestampMs }) => kind === 'video' || timestampMs < 900 || timestampMs > 1120,
    );
    const samples = pack(tags).segments.flatMap(audio);
    // The frame at 896 ms is followed by that at 1130 ms: ten are missing.
    expect(samples.map(({ dts, duration }) => ({ dts, duration }))).toEqual(
      samples.map((_, index) => ({ dts: index * 1024, duration: 1024 })),
    );
    expect(samples).toHaveLength(Math.ceil((4000 * 48) / 1024));
    const silent = samples.flatMap(({ data }, index) => (isSilence(data) ? [index] : []));
    expect(silent).toEqual([43, 44, 45, 46, 47, 48, 49, 50, 51, 52]);
  });

  it('drops audio that was sent twice', () => {
    const tags = [...broadcast({ durationMs: 1000 })];
    const again = audioFrame(500);
    const { segments } = pack([...tags, again, ...broadcast({ startMs: 1000, durationMs: 1000, headers: false })]);
    const samples = segments.flatMap(audio);
    expect(samples.map(({ dts }) => dts)).toEqual(samples.map(({ dts }) => dts).toSorted((one, other) => one - other));
    expect(samples.length).toBeLessThanOrEqual(Math.ceil((2000 * 48) / 1024) + 1);
  });

  it('continues when timestamps wrap at 2^32', () => {
    const { segments } = pack(broadcast({ startMs: 2 ** 32 - 3000, durationMs: 6000 }));
    expect(durations(segments)).toEqual([2, 2, 2]);
    expect(discontinuities(segments)).toEqual([true, false, false]);
    expect(segments.map((segment) => (video(segment)[0]?.dts ?? 0) / 90)).toEqual(
      [-3000, -1000, 1000].map((ms) => 2 ** 32 + ms),
    );
  });

  it('makes decode times rise if a publisher repeats one', () => {
    const [segment] = pack([
      videoHeader(),
      videoFrame(0, { keyframe: true }),
      videoFrame(40),
      videoFrame(40),
      videoFrame(20),
      videoFrame(80),
    ]).segments;
    const dts = video(segment as PackagedSegment).map((sample) => sample.dts);
    expect(dts).toEqual([0, 3600, 3609, 3618, 7200]);
  });

  it.each([
    ['15 fps', { fps: 15 }],
    ['23.98 fps', { fps: 24_000 / 1001 }],
    ['24 fps', { fps: 24 }],
    ['29.97 fps', { fps: 30_000 / 1001 }],
    ['30 fps', { fps: 30 }],
    ['30 fps with B-frames', { fps: 30, reorderMs: 66 }],
    ['59.94 fps', { fps: 60_000 / 1001 }],
    ['60 fps from a time in mid-second', { fps: 60, startMs: 21 }],
  ])('begins and ends every sample on a whole number of microseconds at %s, as Chromium counts', (_name, options) => {
    const { segments } = pack(broadcast({ ...options, durationMs: 6_100, gopFrames: Math.round(options.fps) }));
    const samples = segments.flatMap(video);
    expect(samples.length).toBeGreaterThan(60);
    const inMicroseconds = (ticks: number) => (ticks * 100) / 9;
    const times = samples.flatMap(({ dts, duration, compositionOffset }) => [dts, duration, compositionOffset]);
    expect(times.filter((ticks) => !Number.isInteger(inMicroseconds(ticks)))).toEqual([]);
    // Each sample follows the one before without a hole.
    expect(samples.slice(1).map(({ dts }) => dts)).toEqual(samples.slice(0, -1).map(({ dts, duration }) => dts + duration));
  });

  it('leaves no hole if a publisher vanishes between B-frames', () => {
    const picture = (timeMs: number, shownMs: number) =>
      videoFrame(timeMs, { keyframe: timeMs === 0, compositionTimeMs: shownMs - timeMs });
    // I0 P3 B1 B2 P6 and no more: frames are 40 ms apart, two of them always late.
    const [segment] = pack([
      videoHeader(),
      picture(0, 80),
      picture(40, 200),
      picture(80, 120),
      picture(120, 160),
      picture(160, 320),
    ]).segments;
    const shown = video(segment as PackagedSegment).map(({ dts, compositionOffset }) => (dts + compositionOffset) / 90);
    expect(shown).toEqual([80, 200, 120, 160, 240]);
    expect(segment?.durationSeconds).toBe(0.2);
  });

  it('begins segments when keyframes are shown, though open GOPs have them decoded two frames earlier', () => {
    // Decoded I0 P1 … P47 I50 B48 B49 P51 …, 40 ms apart.
    const pictures = Array.from({ length: 148 }, (_, index) => {
      const shown = index + (index < 48 ? 0 : ({ 48: 2, 49: -1, 0: -1 }[index % 50] ?? 0));
      return videoFrame(index * 40, { keyframe: shown % 50 === 0, compositionTimeMs: 80 + (shown - index) * 40 });
    });
    const { segments } = pack([videoHeader(), ...pictures]);
    expect(segments.map(({ startMs, durationSeconds }) => [startMs, durationSeconds])).toEqual([
      [80, 2],
      [2080, 2],
      // Off by at most the shortest length of a part.
      [4080, expect.closeTo(1.92, 2)],
    ]);
    expect(segments.map((segment) => video(segment).length)).toEqual([48, 50, 50]);
  });

  it('dates each segment by the wall clock, from the first media on', () => {
    const { segments } = pack(broadcast({ startMs: 700, durationMs: 6000, reorderMs: 80 }));
    expect(segments.map(({ programDateTimeMs }) => programDateTimeMs - startedAtMs)).toEqual([80, 2080, 4080]);
  });

  const back = broadcast({ startMs: 8_500, durationMs: 2_000, headers: false });
  it.each([
    ['audio only', [...broadcast({ durationMs: 5_000, video: false }), videoHeader('1280x720', 8_500), ...back]],
    ['a picture of another size', [...broadcast({ durationMs: 5_000 }), videoHeader('1920x1080 at 30', 8_500), ...back]],
  ])('dates segments after a pause by the wall clock, although the segment before it ends earlier: %s', (_name, tags) => {
    const { segments } = pack(tags);
    const [before, after] = segments.slice(-2).map(({ programDateTimeMs, durationSeconds }) => {
      const fromMs = Math.round(programDateTimeMs - startedAtMs);
      return { fromMs, toMs: fromMs + durationSeconds * 1_000 };
    });
    expect(after?.fromMs).toBe(8_500);
    expect(before?.toMs).toBeLessThan(8_000);
  });

  it('counts the video frames of each segment, and their bytes without audio and boxes', () => {
    for (const segment of pack(broadcast({ durationMs: 4000 })).segments) {
      const pictures = video(segment);
      expect([segment.videoFrames, segment.videoBytes]).toEqual([
        pictures.length,
        pictures.reduce((sum, { data }) => sum + data.length, 0),
      ]);
      expect(segment.videoBytes).toBeLessThan(segment.sizeBytes);
    }
  });
});

describe('discontinuities', () => {
  it.each([
    ['forward by an hour', 3_600_000, 0],
    ['back to an earlier time', -8000, 0],
    ['forward by 8 s, which is taken for a pause', 8000, 8000],
  ])('come where timestamps jump %s; the wall clock continues', (_name, skippedMs, pausedMs) => {
    const before = broadcast({ startMs: 10_000, durationMs: 4000 });
    const after = broadcast({ startMs: 14_000 + skippedMs, durationMs: 4000, headers: false });
    const { segments } = pack([...before, ...after]);
    expect(durations(segments)).toEqual([2, 2, 2, 2]);
    expect(discontinuities(segments)).toEqual([true, false, true, false]);
    expect(new Set(segments.map(({ init }) => init.id)).size).toBe(1);
    const since = segments.map(({ programDateTimeMs }) => Math.round((programDateTimeMs - startedAtMs) / 100) / 10);
    expect(since).toEqual([0, 2, 4 + pausedMs / 1000, 6 + pausedMs / 1000]);
  });

  it.each(['video', 'audio'])(
    'come and go with one wrong time of %s, and no track is lost, however far they are apart',
    (kind) => {
      // Video comes 100 ms after the audio of its time.
      const order = ({ kind, timestampMs }: FlvTag) => timestampMs + (kind === 'video' ? 100 : 0);
      const tags = broadcast({ startMs: 10_000, durationMs: 12_000 }).toSorted((one, other) => order(one) - order(other));
      const wrong = tags.findIndex((tag) => tag.kind === kind && tag.timestampMs > 14_100);
      const packager = new TagPackager({ startedAtMs, onSegment: (segment) => segments.push(segment) });
      const segments: PackagedSegment[] = [];
      for (const [index, tag] of tags.entries()) {
        packager.push(index === wrong ? { ...tag, timestampMs: tag.timestampMs + 2_000 } : tag);
      }
      expect(packager.away).toBeUndefined();
      packager.end();
      expect(kinds(segments).at(-1)).toBe('video+audio');
      const heard = audio(segments.at(-1) as PackagedSegment);
      expect(heard.some(({ data }) => isSilence(data))).toBe(false);
    },
  );

  it('come once if the tracks jump a few tags apart', () => {
    const before = broadcast({ startMs: 10_000, durationMs: 4000 });
    const after = broadcast({ startMs: 5_000_000, durationMs: 4000, headers: false });
    // The audio of the old timeline comes after the first frames of the new one.
    const late = before.splice(-3).filter(({ kind }) => kind === 'audio');
    const { segments } = pack([...before, ...after.slice(0, 1), ...late, ...after.slice(1)]);
    expect(discontinuities(segments)).toEqual([true, false, true, false]);
    expect(kinds(segments)).toEqual(Array(4).fill('video+audio'));
  });

  it('come with a new init segment if the resolution changes', () => {
    const after = broadcast({ startMs: 4000, durationMs: 4000, headers: false });
    const { segments, tracks } = pack([...broadcast({ durationMs: 4000 }), videoHeader('1920x1080 at 30', 4000), ...after]);
    expect(durations(segments)).toEqual([2, 2, 2, 2]);
    expect(discontinuities(segments)).toEqual([true, false, true, false]);
    expect(tracks.map(({ video: is }) => is)).toEqual([
      { codec: 'avc1.4d401f', width: 1280, height: 720 },
      { codec: 'avc1.640028', width: 1920, height: 1080, fps: 30 },
    ]);
    expect(kinds(segments)).toEqual(Array(4).fill('video+audio'));
  });

  it('come when the first keyframe of other parameters is shown, though B-frames let it be decoded earlier', () => {
    const before = broadcast({ durationMs: 4000, reorderMs: 80 }).filter(
      ({ kind, timestampMs }) => kind === 'audio' || timestampMs < 3000,
    );
    const after = broadcast({ startMs: 3000, durationMs: 3000, reorderMs: 80, audioToMs: 0, headers: false });
    const tags = [...before, videoHeader('1920x1080 at 30', 3000), ...after];
    const { segments } = pack(tags.sort((one, other) => one.timestampMs - other.timestampMs));
    expect(segments.map(({ startMs, durationSeconds, place }) => [startMs, durationSeconds, place.discontinuity])).toEqual([
      [80, 2, true],
      [2080, 1, false],
      [3080, 2, true],
      [5080, 1, false],
    ]);
  });

  it('come at the next keyframe if the audio changes, even if the segment is shorter than it should be', () => {
    const tags = broadcast({ durationMs: 6000, gopFrames: 25 });
    expect(durations(pack(tags).segments)).toEqual([1, 2, 2, 1]);
    const mono = { ...audioHeader('48 kHz', 1200), body: Buffer.from('af001188', 'hex') };
    const at = tags.findIndex(({ timestampMs }) => timestampMs > 1200);
    const { segments } = pack(tags.toSpliced(at, 0, mono));
    expect(durations(segments)).toEqual([1, 1, 2, 2]);
    expect(discontinuities(segments)).toEqual([true, false, true, false]);
  });

  it('come at the next keyframe if the audio changes its sample rate', () => {
    const changed = broadcast({ startMs: 2500, durationMs: 3500, headers: false });
    // 1024 samples last longer at 44.1 kHz, and so the frames are further apart.
    let index = 0;
    for (const tag of changed) if (tag.kind === 'audio') tag.timestampMs = 2500 + Math.floor((index++ * 1024) / 44.1);
    changed.sort((one, other) => one.timestampMs - other.timestampMs);
    const before = broadcast({ durationMs: 2500, gopFrames: 25 }).filter(({ kind }) => kind === 'audio');
    const pictures = broadcast({ durationMs: 6000, gopFrames: 25 }).filter(({ kind }) => kind === 'video');
    const sound = [...before, audioHeader('44.1 kHz', 2500), ...changed.filter(({ kind }) => kind === 'audio')];
    const tags = [...pictures, ...sound].sort((one, other) => one.timestampMs - other.timestampMs);
    const { segments } = pack(tags);
    expect(durations(segments)).toEqual([1, 2, 2, 1]);
    expect(discontinuities(segments)).toEqual([true, false, true, false]);
    expect(segments.map(({ init }) => init.tracks.audio?.sampleRateHz)).toEqual([48_000, 48_000, 44_100, 44_100]);
    // Audio of another configuration than the segment's is silent in it: from 2.5 s to 3 s.
    const samples = segments.flatMap((segment) => {
      const ticksPerMs = (segment.init.tracks.audio?.sampleRateHz ?? 0) / 1000;
      return audio(segment).map(({ dts, duration, data }) => ({
        startMs: dts / ticksPerMs,
        endMs: (dts + duration) / ticksPerMs,
        isSilent: isSilence(data),
      }));
    });
    const holesMs = samples.slice(1).map(({ startMs }, index) => startMs - (samples[index]?.endMs ?? 0));
    expect(holesMs.filter((ms) => Math.abs(ms) > 1024 / 44.1)).toEqual([]);
    const silent = samples.filter(({ isSilent }) => isSilent);
    expect(silent).toHaveLength(23);
    expect(silent[0]?.startMs).toBeCloseTo((118 * 1024) / 48);
    expect(silent.at(-1)?.endMs).toBeCloseTo((141 * 1024) / 48);
  });

  it('do not come from a repeated sequence header', () => {
    const tags = broadcast({ durationMs: 8000 }).flatMap((tag) =>
      tag.kind === 'video' && tag.body[0] === 0x17
        ? [videoHeader('1280x720', tag.timestampMs), audioHeader('48 kHz', 0), tag]
        : [tag],
    );
    const { segments, tracks } = pack(tags);
    expect(discontinuities(segments)).toEqual([true, false, false, false]);
    expect(tracks).toHaveLength(1);
  });

  it('give the same init segment to a publisher that comes back with the same parameters', () => {
    const [one, other] = [pack(broadcast({ durationMs: 2000 })), pack(broadcast({ startMs: 99_000, durationMs: 2000 }))];
    expect(one.segments[0]?.init.id).toBe(other.segments[0]?.init.id);
  });
});
