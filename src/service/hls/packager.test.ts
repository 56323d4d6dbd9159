import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { audioFrame, audioHeader, broadcast, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { type ReadSample, readSegment } from '../../../test/support/fmp4-reader.ts';
import type { FlvTag } from '../media/flv-tag.ts';
import type { MediaFormatError } from '../media/media-format-error.ts';
import type { PackagedSegment, SegmentTracks } from './packaged-segment.ts';
import { Packager, type PackagerOptions } from './packager.ts';
import { defaultPackagerBounds } from './packager-bounds.ts';

const startedAtMs = Date.UTC(2030, 0, 1);

function pack(tags: readonly FlvTag[], options: Partial<PackagerOptions> = {}) {
  const segments: PackagedSegment[] = [];
  const tracks: SegmentTracks[] = [];
  const malformed: string[] = [];
  const packager = new Packager({
    startedAtMs,
    onSegment: (segment) => segments.push(segment),
    onTracks: (changed) => tracks.push(changed),
    onMalformed: (error: MediaFormatError) => malformed.push(error.message),
    ...options,
  });
  for (const tag of tags) packager.push(tag);
  packager.end();
  return { segments, tracks, malformed };
}

const video = (segment: PackagedSegment): ReadSample[] => readSegment(segment.bytes).get(1) ?? [];
const audio = (segment: PackagedSegment): ReadSample[] => readSegment(segment.bytes).get(2) ?? [];
const durations = (segments: readonly PackagedSegment[]) => segments.map(({ durationSeconds }) => durationSeconds);
const discontinuities = (segments: readonly PackagedSegment[]) => segments.map(({ discontinuity }) => discontinuity);
const kinds = (segments: readonly PackagedSegment[]) =>
  segments.map((segment) =>
    [...(segment.init.tracks.video ? ['video'] : []), ...(segment.init.tracks.audio ? ['audio'] : [])].join('+'),
  );

describe('where the packager cuts', () => {
  it('ends a segment at the first keyframe 2 s after its start, and the last one where the media ends', () => {
    const { segments } = pack(broadcast({ durationMs: 7000 }));
    expect(durations(segments)).toEqual([2, 2, 2, 1]);
    expect(segments.map(({ videoFrames }) => videoFrames)).toEqual([50, 50, 50, 25]);
    expect(segments.every(({ independent }) => independent)).toBe(true);
    expect(discontinuities(segments)).toEqual([true, false, false, false]);
  });

  it('makes 1 s segments of a 1 s GOP when asked to', () => {
    expect(durations(pack(broadcast({ durationMs: 3000 }), { targetSegmentSeconds: 1 }).segments)).toEqual([1, 1, 1]);
  });

  it('makes long segments of a long GOP', () => {
    expect(durations(pack(broadcast({ durationMs: 20_000, gopFrames: 250 })).segments)).toEqual([10, 10]);
  });

  it('cuts at a keyframe that rounding has put a millisecond before the target', () => {
    // 1999 ms after the first, at 29.97 fps and with timestamps rounded down.
    const tags = broadcast({ durationMs: 6000, startMs: 1, fps: 30_000 / 1001, gopFrames: 60 });
    for (const tag of tags) if (tag.timestampMs === 2003) tag.timestampMs = 2000;
    expect(pack(tags).segments.map(({ videoFrames }) => videoFrames)).toEqual([60, 60, 60]);
  });

  it('drops what comes before the first keyframe', () => {
    const tags = [
      videoHeader(),
      audioHeader(),
      videoFrame(0),
      audioFrame(0),
      audioFrame(21),
      videoFrame(40, { keyframe: true }),
    ];
    const { segments } = pack([...tags, audioFrame(42), audioFrame(64), videoFrame(80)]);
    expect(segments.map((segment) => [video(segment).length, audio(segment).length])).toEqual([[2, 2]]);
    expect(segments[0]?.programDateTimeMs).toBe(startedAtMs + 40);
  });

  it('divides a GOP that is too long at a frame that is no keyframe', () => {
    const bounds = { ...defaultPackagerBounds, maxSegmentMs: 4000 };
    const { segments } = pack(broadcast({ durationMs: 10_000, gopFrames: 1000 }), { bounds });
    expect(durations(segments)).toEqual([4, 4, 2]);
    expect(segments.map(({ independent }) => independent)).toEqual([true, false, false]);
  });

  it('divides a GOP that has too many bytes or samples', () => {
    const tags = broadcast({ durationMs: 2000, gopFrames: 1000 });
    const bytes = pack(tags, { bounds: { ...defaultPackagerBounds, maxSegmentBytes: 3000 } }).segments;
    const samples = pack(tags, { bounds: { ...defaultPackagerBounds, maxSegmentSamples: 50 } }).segments;
    for (const segments of [bytes, samples]) {
      expect(segments.length).toBeGreaterThan(1);
      expect(segments.reduce((sum, { videoFrames }) => sum + videoFrames, 0)).toBe(50);
    }
  });
});

describe('the time line of segments', () => {
  it('begins video and audio together, with B-frames too, and each segment where the one before ended', () => {
    const { segments } = pack(broadcast({ startMs: 5000, durationMs: 6000, reorderMs: 80 }));
    // The keyframe is shown 80 ms after its decode time.
    expect(segments.map((segment) => video(segment)[0]?.dts)).toEqual([5080, 7080, 9080].map((ms) => ms * 90));
    for (const segment of segments) {
      const startMs = (video(segment)[0]?.dts ?? 0) / 90;
      const soundMs = (audio(segment)[0]?.dts ?? 0) / 48;
      expect(soundMs - startMs).toBeGreaterThanOrEqual(0);
      expect(soundMs - startMs).toBeLessThan(1024 / 48);
    }
    // Presentation times are those of the publisher.
    const [key, next] = video(segments[0] as PackagedSegment);
    expect([key, next].map((sample) => ((sample?.dts ?? 0) + (sample?.compositionOffset ?? 0)) / 90)).toEqual([5080, 5120]);
  });

  it('keeps presentation times where the first keyframe is shown before it is decoded', () => {
    const tags = [
      videoHeader(),
      videoFrame(0, { keyframe: true, compositionTimeMs: -20 }),
      videoFrame(40, { compositionTimeMs: 10 }),
    ];
    const [segment] = pack(tags).segments;
    expect(video(segment as PackagedSegment).map((sample) => sample.dts + sample.compositionOffset)).toEqual([-1800, 4500]);
  });

  it('lets no millisecond rounding add up: every AAC frame begins where the one before ended', () => {
    const { segments } = pack(broadcast({ durationMs: 60_000 }));
    const samples = segments.flatMap(audio);
    expect(samples).toHaveLength(Math.ceil((60_000 * 48) / 1024));
    expect(samples.map(({ dts }) => dts)).toEqual(samples.map((_, index) => index * 1024));
    expect(new Set(samples.map(({ duration }) => duration))).toEqual(new Set([1024]));
  });

  it('keeps a gap in the sound as a gap', () => {
    const tags = broadcast({ durationMs: 4000 }).filter(
      ({ kind, timestampMs }) => kind === 'video' || timestampMs < 900 || timestampMs > 1100,
    );
    const samples = pack(tags).segments.flatMap(audio);
    const gap = samples.find(({ duration }) => duration !== 1024);
    // The frame at 896 ms lasts until that at 1109 ms.
    expect(gap?.dts).toBe(42 * 1024 + 1024 - 1024);
    expect((gap?.duration ?? 0) / 48).toBeCloseTo(1109 - 896, 0);
    expect(samples.filter(({ duration }) => duration !== 1024)).toHaveLength(1);
  });

  it('leaves out sound that was sent twice', () => {
    const tags = [...broadcast({ durationMs: 1000 })];
    const again = audioFrame(500);
    const { segments } = pack([...tags, again, ...broadcast({ startMs: 1000, durationMs: 1000, headers: false })]);
    const samples = segments.flatMap(audio);
    expect(samples.map(({ dts }) => dts)).toEqual(samples.map(({ dts }) => dts).toSorted((one, other) => one - other));
    expect(samples.length).toBeLessThanOrEqual(Math.ceil((2000 * 48) / 1024) + 1);
  });

  it('goes on where timestamps wrap at 2^32', () => {
    const { segments } = pack(broadcast({ startMs: 2 ** 32 - 3000, durationMs: 6000 }));
    expect(durations(segments)).toEqual([2, 2, 2]);
    expect(discontinuities(segments)).toEqual([true, false, false]);
    expect(segments.map((segment) => (video(segment)[0]?.dts ?? 0) / 90)).toEqual(
      [-3000, -1000, 1000].map((ms) => 2 ** 32 + ms),
    );
  });

  it('lets decode times rise where a publisher repeats one', () => {
    const [segment] = pack([
      videoHeader(),
      videoFrame(0, { keyframe: true }),
      videoFrame(40),
      videoFrame(40),
      videoFrame(20),
      videoFrame(80),
    ]).segments;
    const dts = video(segment as PackagedSegment).map((sample) => sample.dts);
    expect(dts).toEqual([0, 3600, 3601, 3602, 7200]);
  });

  it('leaves no hole where a publisher vanishes between B-frames', () => {
    const picture = (timeMs: number, shownMs: number) =>
      videoFrame(timeMs, { keyframe: timeMs === 0, compositionTimeMs: shownMs - timeMs });
    // I0 P3 B1 B2 P6 and no more: pictures are 40 ms apart, two of them always late.
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

  it('says the wall clock of each segment, from the first media on', () => {
    const { segments } = pack(broadcast({ startMs: 700, durationMs: 6000, reorderMs: 80 }));
    expect(segments.map(({ programDateTimeMs }) => programDateTimeMs - startedAtMs)).toEqual([80, 2080, 4080]);
  });

  it('measures the bit rate of each segment, boxes included', () => {
    for (const segment of pack(broadcast({ durationMs: 4000 })).segments) {
      expect(segment.bitrateBps).toBe((segment.bytes.length * 8) / 2);
    }
  });
});

describe('discontinuities', () => {
  it.each([
    ['forward by an hour', 3_600_000, 0],
    ['back to an earlier time', -8000, 0],
    ['forward by 8 s, which is taken for a pause', 8000, 8000],
  ])('come where timestamps jump %s; the wall clock goes on', (_name, skippedMs, pausedMs) => {
    const before = broadcast({ startMs: 10_000, durationMs: 4000 });
    const after = broadcast({ startMs: 14_000 + skippedMs, durationMs: 4000, headers: false });
    const { segments } = pack([...before, ...after]);
    expect(durations(segments)).toEqual([2, 2, 2, 2]);
    expect(discontinuities(segments)).toEqual([true, false, true, false]);
    expect(new Set(segments.map(({ init }) => init.id)).size).toBe(1);
    const since = segments.map(({ programDateTimeMs }) => Math.round((programDateTimeMs - startedAtMs) / 100) / 10);
    expect(since).toEqual([0, 2, 4 + pausedMs / 1000, 6 + pausedMs / 1000]);
  });

  it('come once where the tracks jump a few tags apart', () => {
    const before = broadcast({ startMs: 10_000, durationMs: 4000 });
    const after = broadcast({ startMs: 5_000_000, durationMs: 4000, headers: false });
    // The sound of the old time line comes after the first pictures of the new one.
    const late = before.splice(-3).filter(({ kind }) => kind === 'audio');
    const { segments } = pack([...before, ...after.slice(0, 1), ...late, ...after.slice(1)]);
    expect(discontinuities(segments)).toEqual([true, false, true, false]);
    expect(kinds(segments)).toEqual(Array(4).fill('video+audio'));
  });

  it('come with a new init segment where the resolution changes', () => {
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

  it('come at the next keyframe where the sound changes its rate', () => {
    const changed = broadcast({ startMs: 2500, durationMs: 3500, headers: false });
    // 1024 samples last longer at 44.1 kHz, and so the frames are further apart.
    let index = 0;
    for (const tag of changed) if (tag.kind === 'audio') tag.timestampMs = 2500 + Math.floor((index++ * 1024) / 44.1);
    changed.sort((one, other) => one.timestampMs - other.timestampMs);
    const before = broadcast({ durationMs: 2500, gopFrames: 25 }).filter(({ kind }) => kind === 'audio');
    const pictures = broadcast({ durationMs: 6000 }).filter(({ kind }) => kind === 'video');
    const sound = [...before, audioHeader('44.1 kHz', 2500), ...changed.filter(({ kind }) => kind === 'audio')];
    const tags = [...pictures, ...sound].sort((one, other) => one.timestampMs - other.timestampMs);
    const { segments } = pack(tags);
    expect(durations(segments)).toEqual([2, 1, 2, 1]);
    expect(discontinuities(segments)).toEqual([true, false, true, false]);
    expect(segments.map(({ init }) => init.tracks.audio?.sampleRateHz)).toEqual([48_000, 48_000, 44_100, 44_100]);
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

  it('give the same init segment to an encoder that comes back with the same parameters', () => {
    const [one, other] = [pack(broadcast({ durationMs: 2000 })), pack(broadcast({ startMs: 99_000, durationMs: 2000 }))];
    expect(one.segments[0]?.init.id).toBe(other.segments[0]?.init.id);
  });
});

describe('tracks that come and go', () => {
  it('carries video without sound', () => {
    const { segments, tracks } = pack(broadcast({ durationMs: 6000, audioToMs: 0 }));
    expect(durations(segments)).toEqual([2, 2, 2]);
    expect(tracks).toEqual([{ video: { codec: 'avc1.4d401f', width: 1280, height: 720 } }]);
  });

  it('does not wait for sound that was announced and never came', () => {
    const segments: PackagedSegment[] = [];
    const packager = new Packager({ startedAtMs, onSegment: (segment) => segments.push(segment) });
    packager.push(audioHeader());
    for (const tag of broadcast({ durationMs: 2040, audioToMs: 0 })) packager.push(tag);
    expect(kinds(segments)).toEqual(['video']);
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

  it('takes up sound that comes later with the next segment', () => {
    const { segments } = pack(broadcast({ durationMs: 8000, audioFromMs: 3000 }));
    expect(kinds(segments)).toEqual(['video', 'video', 'video+audio', 'video+audio']);
    expect(discontinuities(segments)).toEqual([true, false, true, false]);
  });

  it('goes on without sound when that stops, and with it when it is back', () => {
    const tags = broadcast({ durationMs: 24_000 }).filter(
      ({ kind, timestampMs }) => kind === 'video' || timestampMs < 5000 || timestampMs >= 15_500,
    );
    const { segments } = pack(tags);
    expect(durations(segments)).toEqual(Array(12).fill(2));
    expect(kinds(segments)).toEqual([
      ...Array(3).fill('video+audio'),
      ...Array(5).fill('video'),
      ...Array(4).fill('video+audio'),
    ]);
    expect(discontinuities(segments).filter(Boolean)).toHaveLength(3);
  });

  it('goes on with sound alone when the picture stops, and takes it up at a keyframe', () => {
    const tags = broadcast({ durationMs: 20_000 }).filter(
      ({ kind, timestampMs }) => kind === 'audio' || timestampMs < 5000 || timestampMs >= 14_520,
    );
    const { segments } = pack(tags);
    expect(new Set(kinds(segments))).toEqual(new Set(['video+audio', 'audio']));
    expect(kinds(segments).at(-1)).toBe('video+audio');
    const total = durations(segments).reduce((sum, seconds) => sum + seconds, 0);
    expect(total).toBeCloseTo(20, 1);
    const samples = segments.flatMap(audio);
    expect(samples.map(({ dts }) => dts)).toEqual(samples.map((_, index) => index * 1024));
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

describe('malformed media', () => {
  it('is left out and told of, and the rest goes on', () => {
    const frame = videoFrame(2000, { keyframe: true });
    frame.body.writeUInt32BE(5000, 5);
    const { segments, malformed } = pack([
      ...broadcast({ durationMs: 2000 }),
      { kind: 'video', timestampMs: 2000, body: Buffer.from('1700000000ff', 'hex') },
      { kind: 'audio', timestampMs: 2000, body: Buffer.from('af00ff', 'hex') },
      { kind: 'video', timestampMs: 2000, body: Buffer.from('1c0000', 'hex') },
      { kind: 'audio', timestampMs: 2000, body: Buffer.from('2f00', 'hex') },
      { kind: 'audio', timestampMs: 2000, body: Buffer.concat([Buffer.from('af01', 'hex'), Buffer.alloc(100_000)]) },
      frame,
      videoFrame(2000, { compositionTimeMs: 100_000 }),
      ...broadcast({ startMs: 2000, durationMs: 2000, headers: false }),
    ]);
    expect(durations(segments)).toEqual([2, 2]);
    expect(malformed).toEqual([
      'AVC configuration of 1 bytes is too short.',
      'AAC configuration ends too early.',
      'Video is coded with HEVC, not H.264.',
      'Audio is coded with MP3, not AAC.',
      'An AAC frame has 100000 bytes.',
      'A video frame has broken NAL unit lengths.',
      'A video frame has the composition time 100000 ms.',
    ]);
  });

  it('never makes it throw, nor hold more than its bounds, nor make a segment that cannot be read', () => {
    const timestamp = fc.oneof(fc.nat({ max: 20_000 }), fc.nat({ max: 2 ** 32 - 1 }), fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1));
    const header = fc.constantFrom(videoHeader(), videoHeader('1920x1080 at 30'), audioHeader(), audioHeader('44.1 kHz'));
    const picture = fc
      .tuple(timestamp, fc.boolean(), fc.integer({ min: -12_000, max: 12_000 }), fc.nat({ max: 3000 }))
      .map(([timestampMs, keyframe, compositionTimeMs, sizeBytes]) =>
        videoFrame(timestampMs, { keyframe, compositionTimeMs, sizeBytes }),
      );
    const sound = fc
      .tuple(timestamp, fc.nat({ max: 2000 }))
      .map(([timestampMs, sizeBytes]) => audioFrame(timestampMs, sizeBytes));
    const noise = fc
      .tuple(
        fc.constantFrom('audio' as const, 'video' as const, 'script' as const),
        timestamp,
        fc.uint8Array({ maxLength: 60 }),
      )
      .map(([kind, timestampMs, bytes]) => ({ kind, timestampMs, body: Buffer.from(bytes) }));
    const bounds = { ...defaultPackagerBounds, maxSegmentBytes: 20_000, maxSegmentSamples: 40 };
    fc.assert(
      fc.property(fc.array(fc.oneof(header, picture, picture, sound, noise), { maxLength: 150 }), (tags) => {
        const { segments } = pack([videoHeader(), audioHeader(), ...tags], { bounds });
        for (const segment of segments) {
          expect(segment.durationSeconds).toBeGreaterThan(0);
          expect(segment.bytes.length).toBeLessThan(100_000);
          const samples = [...readSegment(segment.bytes).values()].flat();
          expect(samples.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });
});
