import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { audioFrame, audioHeader, broadcast, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { findBrokenRules, PlaylistWatch } from '../../../test/support/playlist-rules.ts';
import { TagPackager } from '../../../test/support/tag-packager.ts';
import type { FlvTag } from '../flv/flv-tag.ts';

const firstMs = Date.UTC(2030, 0, 1);

/** Every playlist that a player could have fetched while these publishers came one after another, and the target duration. */
function watch(publishers: readonly (readonly FlvTag[])[], { targetSegmentSeconds = 2, partMs = 200 } = {}) {
  const store = createSegmentStore({ windowSeconds: () => 30 });
  const watching = new PlaylistWatch(store);
  for (const tags of publishers) {
    const { programDateTimeMs, durationSeconds } = store.segments.at(-1) ?? { programDateTimeMs: firstMs, durationSeconds: 0 };
    const startedAtMs = programDateTimeMs + durationSeconds * 1000 + 500;
    const packager = new TagPackager({ startedAtMs, sink: store, targetSegmentSeconds, partMs });
    for (const tag of tags) packager.push(tag);
    packager.end();
  }
  store.end();
  return watching.texts;
}

/** Frames at these times, keyframes where `isKeyframe` says so, with 48 kHz audio. */
function framesAt(timesMs: readonly number[], isKeyframe: (index: number) => boolean, sound = true): FlvTag[] {
  const untilMs = timesMs.at(-1) ?? 0;
  const pictures = timesMs.map((timeMs, index) => videoFrame(timeMs, { keyframe: isKeyframe(index) }));
  const sounds = Array.from({ length: sound ? Math.floor((untilMs * 48) / 1024) : 0 }, (_, index) =>
    audioFrame(Math.floor((index * 1024) / 48)),
  );
  const media = [...pictures, ...sounds].sort((one, other) => one.timestampMs - other.timestampMs);
  return [videoHeader(), ...(sound ? [audioHeader()] : []), ...media];
}

const targetOf = (texts: readonly string[]) => /TARGETDURATION:(\d+)/.exec(texts.at(-1) ?? '')?.[1];

describe('what a player follows', () => {
  it('never changes if the frame rate varies and keyframes come 1.93 to 2.07 s apart', () => {
    const keyframes = [0, 1930, 4000, 5950, 8020, 9950, 12_010];
    const times = [...new Set([...keyframes, ...Array.from({ length: 340 }, (_, index) => index * 37 + (index % 3) * 5)])];
    const texts = watch([
      framesAt(
        times.sort((one, other) => one - other),
        (index) => keyframes.includes(times[index] ?? -1),
      ),
    ]);
    expect(findBrokenRules(texts)).toEqual([]);
    expect(targetOf(texts)).toBe('2');
    expect(texts.at(-1)?.match(/EXTINF:\d+/g)?.length).toBe(7);
  });

  it('never changes if keyframes come at any time: GOPs that get too long are divided', () => {
    const keyframes = [0, 1000, 3000, 8000, 17_000, 18_000];
    const times = Array.from({ length: 500 }, (_, index) => index * 40);
    const texts = watch([framesAt(times, (index) => keyframes.includes(index * 40))]);
    expect(findBrokenRules(texts)).toEqual([]);
    expect(targetOf(texts)).toBe('2');
    expect(texts.at(-1)).not.toContain('EXT-X-INDEPENDENT-SEGMENTS');
  });

  it('keeps the long segments of a publisher whose GOPs are long from the first on', () => {
    const texts = watch([broadcast({ durationMs: 41_000, gopFrames: 25 * 8 })]);
    expect(findBrokenRules(texts)).toEqual([]);
    expect(texts.at(-1)?.match(/EXTINF:[\d.]+/g)).toEqual([...Array(5).fill('EXTINF:8.00000'), 'EXTINF:1.00000']);
    expect(targetOf(texts)).toBe('8');
  });

  it('has three target durations at least once a segment has left it, however long the first GOP was', () => {
    const times = Array.from({ length: 575 }, (_, index) => index * 200);
    const isKeyframe = (index: number) => index === 0 || (index >= 125 && (index - 125) % 10 === 0);
    const texts = watch([framesAt(times, isKeyframe, false)]);
    expect(findBrokenRules(texts)).toEqual([]);
    expect(targetOf(texts)).toBe('26');
    // 39 segments of 2 s are 78 s.
    expect(texts.at(-1)?.match(/EXTINF:[\d.]+/g)).toEqual(Array(39).fill('EXTINF:2.00000'));
  });

  it('never changes if a publisher comes back at another frame rate, or with audio only', () => {
    const at = (fps: number, options = {}) => broadcast({ durationMs: 7_000, fps, gopFrames: fps, ...options });
    const texts = watch([at(30), at(24), at(60), at(30, { video: false }), at(25, { gopFrames: 250 })]);
    expect(findBrokenRules(texts)).toEqual([]);
    expect(texts.at(-1)).toContain('PART-TARGET=0.20000');
  });

  it.each([12, 15, 20, 24_000 / 1001, 24, 25, 30_000 / 1001, 30, 48, 50, 60_000 / 1001, 60])(
    'has GOPs of a second in whole parts at %f fps',
    (fps) => {
      const texts = watch([broadcast({ durationMs: 9_000, fps, gopFrames: Math.round(fps) })]);
      expect(findBrokenRules(texts)).toEqual([]);
      const durations = texts.slice(0, -4).flatMap((text) => text.match(/(?<=PART:DURATION=)[\d.]+/g) ?? []);
      const lengths = durations.map(Number);
      // 250.25 ms may be rounded either way.
      expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThan(0.000_015);
    },
  );

  it('has a first segment of one GOP, and those of 2 s after it', () => {
    const texts = watch([broadcast({ durationMs: 7_000, gopFrames: 25 })]);
    expect(texts.at(-1)?.match(/EXTINF:[\d.]+/g)).toEqual(['1', '2', '2', '2'].map((seconds) => `EXTINF:${seconds}.00000`));
    expect(targetOf(texts)).toBe('2');
  });

  it('does not depend on a publisher that was lost before its first segment was whole', () => {
    const store = createSegmentStore({ windowSeconds: () => 30 });
    const packagerOf = () => new TagPackager({ startedAtMs: firstMs, sink: store, partMs: 200 });
    const first = packagerOf();
    for (const tag of broadcast({ durationMs: 4_000, gopFrames: 25 })) first.push(tag);
    first.end();
    store.end();
    // The last part of the lost broadcast waits for audio.
    const lost = packagerOf();
    for (const tag of broadcast({ durationMs: 1_050, gopFrames: 25, audioToMs: 700 })) lost.push(tag);
    expect(store.open?.parts.length).toBeGreaterThan(0);
    store.end();
    const watching = new PlaylistWatch(store);
    const next = packagerOf();
    for (const tag of broadcast({ durationMs: 33_000, gopFrames: 200 })) next.push(tag);
    next.end();
    expect(targetOf(watching.texts)).toBe('8');
    expect(findBrokenRules(watching.texts)).toEqual([]);
  });

  describe.each([40, 200, 320, 480, 1_000, 2_000])('with keyframes every %i ms', (gopMs) => {
    it.each([0, 120, 300, 700])('can be played a GOP and 100 ms after the first frame, with audio %i ms late', (lateMs) => {
      const store = createSegmentStore();
      const packager = new TagPackager({ startedAtMs: firstMs, sink: store });
      const arrivals = broadcast({ durationMs: 5_000, gopFrames: gopMs / 40 }).map((tag, index) => ({
        tag,
        atMs: index < 2 ? 0 : tag.timestampMs + (tag.kind === 'audio' ? lateMs : 0),
      }));
      let playableAtMs: number | undefined;
      for (const { tag, atMs } of arrivals.sort((one, other) => one.atMs - other.atMs)) {
        packager.push(tag);
        if (store.segments.length > 0) playableAtMs ??= atMs;
      }
      // The first part waits up to a second for audio that has not begun (decision 0007).
      expect(playableAtMs).toBeLessThanOrEqual(Math.max(gopMs + 100, lateMs + 240));
    });
  });

  it('ends a broadcast no earlier than its parts, if its last frames are far apart and reordered', () => {
    const times = [10, 24, 56, 80, 96, 2128, 2144, 2196, 2208];
    const tags = framesAt(times, (index) => index === 0).map((tag) =>
      tag.kind === 'video' && tag.body[1] === 1
        ? videoFrame(tag.timestampMs, { keyframe: tag.timestampMs === 10, compositionTimeMs: 80 })
        : tag,
    );
    expect(findBrokenRules(watch([tags], { targetSegmentSeconds: 1, partMs: 100 }))).toEqual([]);
  });

  it('ends a segment no earlier than its parts, if its last frame is moved past its end', () => {
    const times = [10, 50, 1592, 1602, 1612, 1622, 1632, 1642, 1642];
    const tags = framesAt(times, (index) => index === 0 || index === 3);
    expect(findBrokenRules(watch([tags], { targetSegmentSeconds: 1 }))).toEqual([]);
  });

  const frame = fc.record({
    gapMs: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 10, max: 60 }) }, fc.integer({ min: 0, max: 4_800 })),
    keyframe: fc.oneof({ weight: 20, arbitrary: fc.constant(false) }, fc.constant(true)),
  });
  const publisher = fc.record({
    compositionTimeMs: fc.constantFrom(0, 0, 40, 80),
    steadyFps: fc.constantFrom(undefined, undefined, 24, 29.97, 30, 50),
    frames: fc.array(frame, { minLength: 5, maxLength: 250 }),
    sound: fc.constantFrom('all', 'all', 'none', 'half'),
    soundJitterMs: fc.constantFrom(0, 0, 30),
  });

  it('keeps every rule in every playlist, whatever comes when', () => {
    fc.assert(
      fc.property(
        fc.array(publisher, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(1, 2),
        fc.constantFrom(100, 200, 333),
        (publishers, targetSegmentSeconds, partMs) => {
          const shows = publishers.map(({ compositionTimeMs, steadyFps, frames, sound, soundJitterMs }) => {
            let timeMs = 0;
            const times = frames.map(({ gapMs }, index) => {
              timeMs += steadyFps === undefined ? gapMs : 0;
              return steadyFps === undefined ? timeMs : Math.floor((index * 1000) / steadyFps);
            });
            const pictures = frames.map(({ keyframe }, index) =>
              videoFrame(times[index] ?? 0, { keyframe: keyframe || index === 0, compositionTimeMs }),
            );
            const untilMs = ((times.at(-1) ?? 0) * (sound === 'half' ? 1 : 2)) / 2;
            const count = sound === 'none' ? 0 : Math.floor((untilMs * 48) / 1024);
            const sounds = Array.from({ length: count }, (_, index) =>
              audioFrame(Math.floor((index * 1024) / 48) + (index % 7 === 3 ? soundJitterMs : 0)),
            );
            const media = [...pictures, ...sounds].sort((one, other) => one.timestampMs - other.timestampMs);
            return [videoHeader(), ...(sound === 'none' ? [] : [audioHeader()]), ...media];
          });
          expect(findBrokenRules(watch(shows, { targetSegmentSeconds, partMs }))).toEqual([]);
        },
      ),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 60) },
    );
  });
});
