import { describe, expect, it } from 'vitest';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { audioHeader, type BroadcastOptions, broadcast, videoHeader } from '../../../test/support/flv-builder.ts';
import { sendAudioLate } from '../../../test/support/late-audio.ts';
import { audio, discontinuities, kinds, pack, segmentBytes } from '../../../test/support/pack.ts';
import { readSegment } from '../../../test/support/read-segment.ts';
import { TagPackager } from '../../../test/support/tag-packager.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import { totalSeconds } from './count-newest.ts';
import type { PackagedPart, PackagedSegment, SegmentSink } from './packaged-segment.ts';

/** The part target in their playlist, in seconds. */
const partTarget = (segments: readonly PackagedSegment[]) => (segments[0]?.targets.partMs ?? Number.NaN) / 1000;

/** Expects parts as rfc8216bis requires them, over a whole broadcast, whose last part may be short. */
function expectRulesKept(segments: readonly PackagedSegment[]): void {
  const target = partTarget(segments);
  for (const { parts, durationSeconds } of segments) {
    const total = parts.reduce((sum, part) => sum + part.durationSeconds, 0);
    expect(total).toBeCloseTo(durationSeconds, 3);
    for (const [index, part] of parts.entries()) {
      expect(part.durationSeconds).toBeLessThanOrEqual(target + 1e-9);
      const next = parts[index + 1];
      if (next && !next.independent) expect(part.durationSeconds).toBeGreaterThanOrEqual(target * 0.85);
    }
  }
}

/** 50 fps with a keyframe every second, of which only some video frames came; all audio came. */
const thinOut = (options: BroadcastOptions, isKept: (timestampMs: number) => boolean) =>
  broadcast({ fps: 50, gopFrames: 50, ...options }).filter(
    ({ kind, timestampMs }) => kind === 'audio' || timestampMs % 1000 === 0 || isKept(timestampMs),
  );

const allParts = (segments: readonly PackagedSegment[]): PackagedPart[] => segments.flatMap(({ parts }) => [...parts]);

describe('parts', () => {
  it.each([
    ['23.976', 24_000 / 1001, 6],
    ['25', 25, 5],
    ['29.97', 30_000 / 1001, 6],
    ['30', 30, 6],
    ['50', 50, 10],
    ['60', 60, 12],
  ])(
    'are the whole number of frames nearest to 200 ms that leaves no shorter one at the end of a GOP, at %s fps',
    (_name, fps, frames) => {
      const { segments } = pack(broadcast({ durationMs: 12_000, fps, gopFrames: Math.round(fps) * 2 }));
      expectRulesKept(segments);
      const counts = allParts(segments)
        .slice(0, -1)
        .map(({ bytes }) => readSegment(bytes).get(1)?.length);
      expect(Math.max(...counts.map((count) => count ?? 0))).toBe(frames);
    },
  );

  it('are 0.2002 s at 29.97 fps, on its exact grid', () => {
    const { segments } = pack(broadcast({ durationMs: 20_000, fps: 30_000 / 1001, gopFrames: 30 }), {
      targetSegmentSeconds: 1,
    });
    // Over the first frames it looks like 30.
    const settled = segments.slice(5, -1);
    expect(
      new Set(settled.map(({ parts }) => parts.map(({ durationSeconds }) => durationSeconds.toFixed(6)).join(' '))),
    ).toEqual(new Set([Array(5).fill('0.200200').join(' ')]));
    const samples = settled.flatMap((segment) => readSegment(segmentBytes(segment)).get(1) ?? []);
    const firstDts = samples[0]?.dts ?? 0;
    // To half of a tenth of a millisecond.
    const off = samples.map(({ dts }, index) => Math.abs(dts - firstDts - index * 3003));
    expect(Math.max(...off)).toBeLessThanOrEqual(4.5);
  });

  it.each<[string, BroadcastOptions]>([
    ['a GOP of half a second', { durationMs: 9000, gopFrames: 12 }],
    ['a GOP of 10 s', { durationMs: 21_000, gopFrames: 250 }],
    ['B-frames', { durationMs: 9000, reorderMs: 80 }],
    ['no audio', { durationMs: 9000, audioToMs: 0 }],
    ['audio only', { durationMs: 9000, video: false }],
    ['10 fps', { durationMs: 9000, fps: 10, gopFrames: 10 }],
  ])('keep to the rules with %s', (_name, options) => {
    expectRulesKept(pack(broadcast(options)).segments);
  });

  const settings = [100, 200, 250, 333, 500, 1000];

  it.each(settings)('are as near to %i ms as frames can be', (partMs) => {
    const { segments } = pack(broadcast({ durationMs: 9000, fps: 30, gopFrames: 120 }), { partMs });
    expectRulesKept(segments);
    expect(partTarget(segments)).toBeCloseTo(Math.round((partMs * 30) / 1000) / 30, 9);
  });

  it.each([100, 200, 250, 500, 1000])('of %i ms last exactly that long where the frame rate varies', (partMs) => {
    for (const audioToMs of [9000, 0]) {
      const { segments } = pack(
        thinOut({ durationMs: 9000, audioToMs }, (ms) => ms % 300 < 200 && ms % 80 !== 0),
        { partMs },
      );
      // Nothing can be put into a part in which no video or audio frame begins.
      if (audioToMs > 0 || partMs > 100) expectRulesKept(segments);
      const lengths = segments.flatMap(({ parts }) => parts.slice(0, -1)).map(({ durationSeconds }) => durationSeconds);
      if (audioToMs > 0 || partMs > 100) for (const length of lengths) expect(length).toBeCloseTo(partMs / 1000, 9);
    }
  });

  it.each([24, 25, 30_000 / 1001, 60].flatMap((fps) => [200, 333, 1000].map((partMs) => [fps, partMs] as const)))(
    'keep to the rules, each with video and audio, while one track is away, at %f fps and %i ms',
    (fps, partMs) => {
      for (const reorderMs of [0, 80]) {
        const away = (kind: string, fromMs: number, toMs: number) => (tag: FlvTag) =>
          tag.kind !== kind || tag.timestampMs < fromMs || tag.timestampMs >= toMs;
        const tags = broadcast({ durationMs: 30_000, fps, gopFrames: Math.round(fps), reorderMs })
          .filter(away('audio', 4_000, 9_000))
          .filter(away('video', 13_300, 25_700));
        const { segments } = pack(tags, { partMs });
        expectRulesKept(segments);
        expect(new Set(kinds(segments))).toEqual(new Set(['video+audio']));
        const held = allParts(segments.filter(({ startMs }) => startMs >= 14_000 && startMs < 24_000));
        for (const { bytes, durationSeconds } of held) {
          expect(readSegment(bytes).get(1)).toHaveLength(Math.round(durationSeconds * fps));
          expect(readSegment(bytes).has(2)).toBe(true);
        }
      }
    },
  );

  it('last longer than announced only without audio, if the next frame is more than a part away', () => {
    const tags = broadcast({ durationMs: 6000, audioToMs: 0 }).filter(
      ({ timestampMs }) => timestampMs < 2500 || timestampMs > 3100,
    );
    const { segments } = pack(tags);
    const parts = (segments[1]?.parts ?? []).map(({ bytes, durationSeconds }) => {
      const lastsMs = (readSegment(bytes).get(1) ?? []).reduce((sum, { duration }) => sum + duration, 0) / 90;
      return [Math.round(durationSeconds * 1000), lastsMs];
    });
    const whole = [200, 200];
    expect(parts).toEqual([whole, whole, [200, 720], whole, whole, whole, whole, [80, 80]]);
  });

  it('end with their segment, even if that is a millisecond longer: no part is hinted that never comes', () => {
    const tags = sendAudioLate(broadcast({ durationMs: 60_000, fps: 25 / 1.001, gopFrames: 25 }), 60);
    const events: string[] = [];
    const sink: SegmentSink = {
      begin: () => ({ msn: 0, discontinuity: false, discontinuitySequence: 0, shiftMs: 0 }),
      addPart: () => events.push('part'),
      breakOff: () => {},
      complete: () => events.push('complete'),
      beginGap: () => {},
      appendGap: () => {},
    };
    const packager = new TagPackager({ startedAtMs: 0, sink, targetSegmentSeconds: 1 });
    for (const tag of tags) {
      events.length = 0;
      packager.push(tag);
      expect(events).not.toEqual(['complete']);
    }
  });

  it('appear together at the end of a segment if the last one is short, and hls.js would leave it out', () => {
    const isSent = ({ kind, timestampMs }: FlvTag) => kind === 'audio' || (timestampMs - 2000) % 1020 < 820;
    const sent = [
      ...broadcast({ durationMs: 2000, fps: 50, gopFrames: 50 }),
      ...broadcast({ startMs: 2000, durationMs: 4080, fps: 50, gopFrames: 51, headers: false }).filter(isSent),
    ];
    const appeared: string[] = [];
    const store = createSegmentStore();
    const packager = new TagPackager({ startedAtMs: 0, sink: store, targetSegmentSeconds: 1 });
    let parts = 0;
    for (const tag of sendAudioLate(sent, 30)) {
      packager.push(tag);
      const all = [...store.segments.flatMap((segment) => [...segment.parts]), ...(store.open?.parts ?? [])];
      const lengths = all.slice(parts).map(({ durationSeconds }) => durationSeconds.toFixed(2));
      if (tag.timestampMs > 2100 && lengths.length > 0) appeared.push(lengths.join('+'));
      parts = all.length;
    }
    const ofSegment = ['0.20', '0.20', '0.20', '0.20', '0.20+0.02'];
    expect(appeared.slice(0, 15)).toEqual([...ofSegment, ...ofSegment, ...ofSegment]);
  });

  it('contain only audio while the video of a segment pauses', () => {
    const { segments } = pack(thinOut({ durationMs: 6000 }, (ms) => ms % 2000 < 500));
    expectRulesKept(segments);
    for (const { parts } of segments.slice(1, -1)) {
      const counts = parts.map(({ bytes }) => readSegment(bytes).get(1)?.length ?? 0);
      expect(counts).toEqual([1, 0, 0, 0, 0, 10, 10, 5, 0, 0]);
      expect(parts.map(({ independent }) => independent)).toEqual(counts.map((_, index) => index === 0 || index === 5));
      expect(parts.map(({ durationSeconds }) => durationSeconds.toFixed(3))).toEqual(Array(10).fill('0.200'));
    }
  });

  it('never claim more than the part target while video without audio pauses: there is nothing to put into them', () => {
    const { segments } = pack(thinOut({ durationMs: 6000, audioToMs: 0 }, (ms) => ms % 2000 < 500));
    const lengths = segments.map(({ parts }) => parts.map(({ durationSeconds }) => durationSeconds.toFixed(2)));
    expect(lengths).toEqual([
      ['0.20', '0.20', '0.20'],
      ['0.20', '0.20', '0.20', '0.20'],
      ['0.20', '0.20', '0.20', '0.20'],
      ['0.20'],
    ]);
  });

  it.each(settings)('of %i ms keep to the rules across a change of resolution', (partMs) => {
    const at30 = { fps: 30, gopFrames: 30 };
    const before = broadcast({ ...at30, durationMs: 4600 });
    const after = broadcast({ ...at30, startMs: 4600, durationMs: 4000, headers: false });
    const { segments } = pack([...before, videoHeader('1920x1080 at 30', 4600), ...after], { partMs });
    expect(discontinuities(segments).filter(Boolean)).toHaveLength(2);
    expectRulesKept(segments);
  });

  it('are neither marked independent nor cut at keyframes that need earlier frames', () => {
    const { segments } = pack(broadcast({ durationMs: 6000, gopFrames: 17, openGops: true }));
    expectRulesKept(segments);
    const independent = segments.map(({ parts }) => parts.map((part) => part.independent));
    expect(independent[0]?.[0]).toBe(true);
    expect(independent.flat().filter((is) => is)).toHaveLength(1);
    expect(segments.map(({ parts }) => parts[0]?.independent)).toEqual([true, ...Array(segments.length - 1).fill(false)]);
  });

  // Of 27 frames in parts of 7, the last part of each GOP has 6.
  it.each([
    [17, 200],
    [27, 300],
  ])('start with a keyframe wherever there is one, and say so, with %i frames in a GOP', (gopFrames, partMs) => {
    const { segments } = pack(broadcast({ durationMs: 6000, gopFrames }), { partMs });
    expectRulesKept(segments);
    for (const { bytes, independent } of allParts(segments)) {
      const samples = readSegment(bytes).get(1) ?? [];
      expect(samples.slice(1).some(({ sync }) => sync)).toBe(false);
      expect(samples[0]?.sync).toBe(independent);
    }
  });

  it('have their audio with them', () => {
    const { segments } = pack(broadcast({ durationMs: 6000 }));
    for (const part of allParts(segments)) {
      const tracks = readSegment(part.bytes);
      const audioMs = ((tracks.get(2)?.[0]?.dts ?? 0) * 1000) / 48_000;
      expect(Math.abs(audioMs - (tracks.get(1)?.[0]?.dts ?? 0) / 90)).toBeLessThan(22);
    }
  });

  it.each<[string, Partial<BroadcastOptions>]>([
    ['', {}],
    [', with B-frames', { reorderMs: 80 }],
  ])('end with their audio a millisecond before their video, and the last one of a segment after it%s', (_name, options) => {
    const frameMs = 1024 / 48;
    const { segments } = pack(broadcast({ durationMs: 6000, ...options }));
    for (const { startMs, durationSeconds, parts } of segments.slice(0, -1)) {
      let endMs = startMs;
      const lacksMs = parts.map((part) => {
        endMs += part.durationSeconds * 1000;
        return endMs - ((readSegment(part.bytes).get(2)?.at(-1)?.dts ?? 0) + 1024) / 48;
      });
      const ofLast = lacksMs.pop();
      expect(endMs).toBeCloseTo(startMs + durationSeconds * 1000, 3);
      expect(ofLast).toBeLessThanOrEqual(0);
      expect(ofLast).toBeGreaterThan(-frameMs);
      expect(Math.min(...lacksMs)).toBeGreaterThan(1);
      expect(Math.max(...lacksMs)).toBeLessThanOrEqual(1 + frameMs);
    }
  });

  it('do not wait long for audio that comes late, and have it later', () => {
    const store = createSegmentStore();
    const packager = new TagPackager({ startedAtMs: 0, sink: store, targetSegmentSeconds: 4 });
    const ready: number[] = [];
    // The parts of the first segment come with it.
    store.onChange(() => store.open?.msn === 1 && ready.push(nowMs));
    let nowMs = 0;
    const tags = broadcast({ durationMs: 8000, gopFrames: 100, headers: false });
    const sent = tags.map((tag) => ({
      tag,
      atMs: tag.timestampMs + (tag.kind === 'audio' && tag.timestampMs > 5000 ? 300 : 0),
    }));
    for (const tag of [videoHeader(), audioHeader()]) packager.push(tag);
    for (const { tag, atMs } of sent.sort((one, other) => one.atMs - other.atMs)) {
      nowMs = atMs;
      packager.push(tag);
    }
    packager.end();
    // The time from the end of each part's media to when the part is ready.
    for (const [index, atMs] of ready.slice(0, 19).entries()) expect(atMs - 4000 - (index + 1) * 200).toBeLessThanOrEqual(120);
    expect(ready).toHaveLength(20);
    expect(kinds(store.segments)).toEqual(['video+audio', 'video+audio']);
    const sound = store.segments.flatMap((segment) => audio(segment));
    expect(sound.map(({ dts }) => dts)).toEqual(sound.map((_, index) => index * 1024));
    expect(sound).toHaveLength(Math.ceil((8000 * 48) / 1024));
  });

  it.each([
    ['audio', { video: false }],
    ['video', { audioToMs: 0 }],
  ])('of %s only can be played as soon as it arrives', (_name, options) => {
    const store = createSegmentStore();
    const packager = new TagPackager({ startedAtMs: 0, sink: store });
    const behindMs: number[] = [];
    for (const tag of broadcast({ durationMs: 9000, ...options })) {
      packager.push(tag);
      const playableMs = (totalSeconds(store.segments) + totalSeconds(store.open?.parts ?? [])) * 1000;
      // At first it waits for video.
      if (tag.timestampMs > 4000) behindMs.push(tag.timestampMs - playableMs);
    }
    expect(Math.max(...behindMs)).toBeLessThan(store.targets?.partMs ?? 0);
    expect(store.segments.filter(({ gap }) => gap)).toEqual([]);
  });

  it.each([
    // Viewers wait for the first segment: audio that its last part lacks comes with the next part.
    [400, 50, [false, true, true]],
    [900, 50, [false, false, false]],
    [900, 12, [false, false, false, true]],
  ])(
    'wait for audio that is %i ms late at the start, and at the end of a segment for half a second, in GOPs of %i frames',
    (lateMs, gopFrames, areWhole) => {
      const store = createSegmentStore();
      const packager = new TagPackager({ startedAtMs: 0, sink: store });
      const tags = sendAudioLate(broadcast({ durationMs: 8000, gopFrames, headers: false }), lateMs);
      for (const tag of [videoHeader(), audioHeader(), ...tags]) packager.push(tag);
      expect(kinds(store.segments)).toEqual(areWhole.map(() => 'video+audio'));
      const soundEnds = store.segments.map((segment) => ((audio(segment).at(-1)?.dts ?? 0) + 1024) / 48_000);
      const ends = store.segments.map(({ startMs, durationSeconds }) => startMs / 1000 + durationSeconds);
      expect(ends.map((end, index) => (soundEnds[index] ?? 0) >= end)).toEqual(areWhole);
    },
  );
});
