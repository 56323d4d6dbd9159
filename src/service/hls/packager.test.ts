import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { audioFrame, audioHeader, broadcast, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { readEightSeconds } from '../../../test/support/flv-fixture.ts';
import { audio, discontinuities, durations, pack, segmentBytes, startedAtMs, video } from '../../../test/support/pack.ts';
import { readSegment } from '../../../test/support/read-segment.ts';
import { defaultPackagerBounds } from './packager-bounds.ts';

describe('where the packager cuts', () => {
  it('ends a segment at the first keyframe 2 s after its start, and the last one where the media ends', () => {
    const { segments } = pack(broadcast({ durationMs: 7000 }));
    expect(durations(segments)).toEqual([2, 2, 2, 1]);
    expect(segments.map(({ videoFrames }) => videoFrames)).toEqual([50, 50, 50, 25]);
    expect(segments.every(({ parts }) => parts[0]?.independent)).toBe(true);
    expect(discontinuities(segments)).toEqual([true, false, false, false]);
  });

  it('makes 1 s segments of a 1 s GOP when asked to', () => {
    expect(durations(pack(broadcast({ durationMs: 3000, gopFrames: 25 }), { targetSegmentSeconds: 1 }).segments)).toEqual([
      1, 1, 1,
    ]);
  });

  it('makes long segments of a long GOP', () => {
    expect(durations(pack(broadcast({ durationMs: 20_000, gopFrames: 250 })).segments)).toEqual([10, 10]);
  });

  it('cuts at a keyframe that rounding put a millisecond before the target', () => {
    // 1999 ms after the first, at 29.97 fps and with timestamps rounded down.
    const tags = broadcast({ durationMs: 6000, startMs: 1, fps: 30_000 / 1001, gopFrames: 60 });
    for (const tag of tags) if (tag.timestampMs === 2003) tag.timestampMs = 2000;
    expect(pack(tags).segments.map(({ videoFrames }) => videoFrames)).toEqual([60, 60, 60]);
  });

  it('drops video before the first keyframe', () => {
    const tags = [
      videoHeader(),
      audioHeader(),
      videoFrame(0),
      audioFrame(0),
      audioFrame(21),
      videoFrame(40, { keyframe: true }),
    ];
    const { segments } = pack([...tags, audioFrame(42), audioFrame(64), videoFrame(80)]);
    // From 85 ms to the end of the video, at 120 ms, the audio is silent.
    expect(segments.map((segment) => [video(segment).length, audio(segment).length])).toEqual([[2, 4]]);
    expect(segments[0]?.programDateTimeMs).toBe(startedAtMs + 40);
  });

  it('divides a GOP that is too long at a frame that is not a keyframe', () => {
    const bounds = { ...defaultPackagerBounds, maxSegmentMs: 4000 };
    const { segments } = pack(broadcast({ durationMs: 10_000, gopFrames: 1000 }), { bounds });
    expect(durations(segments)).toEqual([4, 4, 2]);
    // Decoded I0 P3 B1 B2 P6 B4 B5 …, 40 ms apart.
    const reordered = Array.from({ length: 250 }, (_, index) =>
      videoFrame(index * 40, { keyframe: index === 0, compositionTimeMs: index % 3 === 1 ? 200 : 80 }),
    );
    const divided = durations(pack([videoHeader(), ...reordered], { bounds }).segments);
    expect(divided).toEqual([4, 4, 2.04].map((seconds) => expect.closeTo(seconds, 5)));
    expect(segments.map(({ parts }) => parts[0]?.independent)).toEqual([true, false, false]);
  });

  it('divides a GOP that has too many bytes or samples', () => {
    const tags = broadcast({ durationMs: 2000, gopFrames: 1000 });
    const bytes = pack(tags, { bounds: { ...defaultPackagerBounds, maxSegmentBytes: 3000 } }).segments;
    const samples = pack(tags, { bounds: { ...defaultPackagerBounds, maxSegmentSamples: 50 } }).segments;
    for (const segments of [bytes, samples]) {
      expect(segments.length).toBeGreaterThan(1);
      expect(segments.reduce((sum, { videoFrames }) => sum + videoFrames, 0)).toBe(50);
    }
    // Samples of both tracks, up to the part that has too many.
    expect(samples.map((segment) => [video(segment).length, audio(segment).length])).toEqual([
      [18, 34],
      [18, 34],
      [14, 26],
    ]);
  });
});

describe('malformed media', () => {
  it('is dropped and reported, and the rest continues', () => {
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
      'Legacy HEVC is not carried.',
      'MP3 is not carried.',
      'An AAC frame has 100000 bytes.',
      'A video frame has broken NAL unit lengths.',
      'A video frame has a composition time of 100000 ms.',
    ]);
  });

  it('never makes it throw, exceed its bounds, or make a segment that cannot be read', () => {
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
          expect(segment.sizeBytes).toBeLessThan(100_000);
          const samples = [...readSegment(segmentBytes(segment)).values()].flat();
          expect(samples.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never makes it throw if a real broadcast is damaged', () => {
    const real = readEightSeconds();
    const damage = fc.array(fc.tuple(fc.nat({ max: real.length - 1 }), fc.nat({ max: 40 }), fc.nat({ max: 255 })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(damage, (changes) => {
        const tags = real.map((tag) => ({ ...tag }));
        for (const [index, position, value] of changes) {
          const tag = tags[index];
          if (tag === undefined || position >= tag.body.length) continue;
          tag.body = Buffer.from(tag.body);
          tag.body[position] = value;
        }
        for (const { parts, durationSeconds } of pack(tags).segments) {
          expect(durationSeconds).toBeGreaterThan(0);
          readSegment(segmentBytes({ parts }));
        }
      }),
    );
  });
});
