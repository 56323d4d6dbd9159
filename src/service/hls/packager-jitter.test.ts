import { describe, expect, it } from 'vitest';
import { audioFrame, audioHeader, broadcast, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { audio, durations, expectNoHole, isSilence, pack, video } from '../../../test/support/pack.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import type { ReadSample } from '../media/fmp4-reader.ts';
import type { PlacedUnit } from '../media/media-unit.ts';

describe('stamps that jitter', () => {
  it.each([24, 60, 100, -24, -100])('keeps every audio frame, and adds none, if one in 20 is stamped %i ms late', (lateMs) => {
    const fed: PlacedUnit[] = [];
    let index = 0;
    const tags = broadcast({ durationMs: 8000 }).map((tag) => {
      if (tag.kind !== 'audio' || tag.body[1] === 0) return tag;
      index += 1;
      return index % 20 === 10 ? { ...tag, timestampMs: tag.timestampMs + lateMs } : tag;
    });
    const { segments } = pack(tags, { onPlaced: (unit) => void fed.push(unit) });
    const samples = segments.flatMap(audio);
    expect(samples.map(({ dts }) => dts)).toEqual(Array.from({ length: 375 }, (_, at) => at * 1024));
    expect(samples.filter(({ data }) => isSilence(data))).toEqual([]);
    const heard = fed.filter(({ type }) => type === 'audio').map(({ dts }) => dts);
    expect(heard).toHaveLength(375);
    expect(heard.every((timeMs, at) => Math.abs(timeMs - (at * 1024) / 48) < 22)).toBe(true);
  });

  it.each([
    { record: '1408', rateHz: 16_000, offMs: 55 },
    { record: '1408', rateHz: 16_000, offMs: -55 },
    { record: '1588', rateHz: 8000, offMs: 100 },
    { record: '1588', rateHz: 8000, offMs: -100 },
    { record: '1310', rateHz: 24_000, offMs: 35 },
    { record: '1310', rateHz: 24_000, offMs: -35 },
  ])('keeps every frame of $rateHz Hz in its place, as long as it is, if one is stamped $offMs ms late', (jitter) => {
    const { record, rateHz, offMs } = jitter;
    const count = Math.round((8 * rateHz) / 1024);
    const samples = packAac(record, rateHz, count, (index) => (index === Math.floor(count / 2) ? offMs : 0));
    expect(samples).toHaveLength(count);
    expectNoHole(samples);
    expect(samples.filter(({ duration }) => duration !== 1024)).toEqual([]);
  });

  it.each([
    ['1310', 24_000],
    ['1010', 96_000],
  ])('has no hole after the stamps of %s (%i Hz) step back by 45 ms and stay there', (record, rateHz) => {
    const count = Math.round((20 * rateHz) / 1024);
    expectNoHole(packAac(record, rateHz, count, (index) => (index > 100 ? -45 : 0)));
  });

  it.each([1, 2, 4, 6, 7, 8])('has the audio back in its place 150 ms after a hole of %i frames, which is silent', (lost) => {
    const fed: PlacedUnit[] = [];
    let index = 0;
    const tags = broadcast({ durationMs: 8000 }).filter(({ kind, body }) => {
      if (kind !== 'audio' || body[1] === 0) return true;
      index += 1;
      return index <= 100 || index > 100 + lost;
    });
    const { segments } = pack(tags, { onPlaced: (unit) => void fed.push(unit) });
    const stampsMs = tags.filter(({ kind, body }) => kind === 'audio' && body[1] === 1).map(({ timestampMs }) => timestampMs);
    const heardMs = fed.filter((unit) => unit.type === 'audio' && !isSilence(unit.data)).map(({ dts }) => dts);
    expect(heardMs).toHaveLength(375 - lost);
    const movedMs = heardMs.map((timeMs, at) => timeMs - (stampsMs[at] ?? 0));
    expect(movedMs.filter((ms, at) => Math.abs(ms) > 5 && (at < 100 || at >= 107))).toEqual([]);
    expect(Math.max(...movedMs.map(Math.abs))).toBeLessThanOrEqual(150);
    expect(segments.flatMap(audio).filter(({ data }) => isSilence(data))).toHaveLength(lost);
  });

  it('has as much silence as was lost, though a frame after the hole is stamped even later', () => {
    const fed: PlacedUnit[] = [];
    let index = 0;
    const tags = broadcast({ durationMs: 8000 }).flatMap((tag) => {
      if (tag.kind !== 'audio' || tag.body[1] === 0) return [tag];
      index += 1;
      if (index > 100 && index <= 103) return [];
      return [index === 111 ? { ...tag, timestampMs: tag.timestampMs + 50 } : tag];
    });
    const samples = pack(tags, { onPlaced: (unit) => void fed.push(unit) }).segments.flatMap(audio);
    expect(samples.filter(({ data }) => isSilence(data))).toHaveLength(3);
    expectNoHole(samples);
    const heardMs = fed.filter(({ type }) => type === 'audio').map(({ dts }) => dts);
    expect(heardMs.every((timeMs, at) => Math.abs(timeMs - (at * 1024) / 48) < 70)).toBe(true);
  });

  it.each(
    [24, 60, 100, -24, -60, -100].flatMap((lateMs) => [
      { lateMs, fps: 25, reorderMs: 0 },
      { lateMs, fps: 30, reorderMs: 0 },
      { lateMs, fps: 25, reorderMs: 80 },
      // Not a common rate.
      ...(Math.abs(lateMs) === 60 ? [{ lateMs, fps: 12.5, reorderMs: 0 }] : []),
    ]),
  )(
    'shows every frame in its turn if one in 20 is stamped $lateMs ms late ($fps fps, reordered by $reorderMs ms), even if the next is too',
    ({ lateMs, fps, reorderMs }) => {
      const steady = broadcast({ durationMs: 8000, fps, reorderMs });
      let index = 0;
      const trembling = steady.map((tag) => {
        if (tag.kind !== 'video' || tag.body[1] === 0) return tag;
        index += 1;
        // Frame 101 is a keyframe at 25 fps.
        if (index % 20 === 11 || index === 101) return { ...tag, timestampMs: tag.timestampMs + lateMs };
        return index === 72 ? { ...tag, timestampMs: tag.timestampMs + 45 } : tag;
      });
      const pictures = (tags: FlvTag[]) => {
        const fed: PlacedUnit[] = [];
        const { segments } = pack(tags, { onPlaced: (unit) => void fed.push(unit) });
        return {
          durations: durations(segments).map((seconds) => Math.round(seconds * 1000)),
          samples: segments
            .flatMap(video)
            .map(({ dts, duration, sync }) => [Math.round(dts / 90), Math.round(duration / 90), sync]),
          fed: fed.filter(({ type }) => type === 'video').length,
        };
      };
      expect(pictures(trembling)).toEqual(pictures(steady));
    },
  );

  it.each([15, -15])('shows a frame when it was captured if it is %i ms late, less than half a frame', (lateMs) => {
    const tags = broadcast({ durationMs: 4000 }).map((tag) =>
      tag.kind === 'video' && tag.timestampMs === 2800 ? { ...tag, timestampMs: 2800 + lateMs } : tag,
    );
    const shownMs = pack(tags)
      .segments.flatMap(video)
      .map(({ dts }) => Math.round(dts / 90));
    expect(shownMs.slice(69, 72)).toEqual([2760, 2800 + lateMs, 2840]);
  });

  it('shows one frame early, and no more, if up to three before it were lost', () => {
    const lost = [2040, 2080, 2120];
    const tags = broadcast({ durationMs: 4000 }).filter(
      ({ kind, timestampMs }) => kind === 'audio' || !lost.includes(timestampMs),
    );
    const shownMs = pack(tags)
      .segments.flatMap(video)
      .map(({ dts }) => Math.round(dts / 90));
    const kept = Array.from({ length: 100 }, (_, index) => index * 40).filter((timeMs) => !lost.includes(timeMs));
    expect(shownMs).toEqual(kept.map((timeMs) => (timeMs === 2160 ? 2040 : timeMs)));
  });

  it('shows a frame that is late in its turn if composition times differ only by their rounding', () => {
    const pictures = Array.from({ length: 100 }, (_, turn) =>
      videoFrame(turn * 40 + (turn === 70 ? 60 : 0), { keyframe: turn % 50 === 0, compositionTimeMs: turn % 2 }),
    );
    const decodedMs = pack([videoHeader(), ...pictures])
      .segments.flatMap(video)
      .map(({ dts }) => Math.round(dts / 90));
    expect(decodedMs).toEqual(pictures.map((_, turn) => turn * 40));
  });

  it.each([1, 2, 3, 4])('shows no frame early after a hole where %i pairs of B-frames were lost', (pairs) => {
    const frames = Array.from({ length: 98 }, (_, turn) => ({ timeMs: turn * 40, shownMs: findShownMs(turn) }));
    const isLost = ({ timeMs, shownMs }: { timeMs: number; shownMs: number }) =>
      shownMs <= timeMs && timeMs >= 2120 && timeMs < 2120 + pairs * 120;
    const kept = frames.filter((frame) => !isLost(frame));
    const pictures = kept.map(({ timeMs, shownMs }) =>
      videoFrame(timeMs, { keyframe: timeMs % 1960 === 0, compositionTimeMs: shownMs - timeMs }),
    );
    const sounds = Array.from({ length: 187 }, (_, index) => audioFrame(Math.floor((index * 1024) / 48)));
    const sent = [...pictures, ...sounds].toSorted((one, other) => one.timestampMs - other.timestampMs);
    const shown = pack([videoHeader(), audioHeader(), ...sent])
      .segments.flatMap(video)
      .map(({ dts, compositionOffset }) => Math.round((dts + compositionOffset) / 90));
    expect(shown).toEqual(kept.map(({ shownMs }) => shownMs));
  });
});

/** When the frame that is decoded as number `turn` is shown, at 25 fps: after each keyframe, three at a time, the last one first. */
function findShownMs(turn: number): number {
  const inGop = turn % 49;
  const aheadFrames = inGop === 0 ? 1 : [3, 0, 0][(inGop - 1) % 3];
  return (turn + (aheadFrames ?? 0)) * 40;
}

/** The audio samples of `count` AAC frames in the order they were made, with video; frame `index` is stamped `offMs(index)` late. */
function packAac(record: string, rateHz: number, count: number, offMs: (index: number) => number): ReadSample[] {
  const header: FlvTag = { kind: 'audio', timestampMs: 0, body: Buffer.from(`af00${record}`, 'hex') };
  const frames = Array.from({ length: count }, (_, index) => {
    const timeMs = Math.floor((index * 1024 * 1000) / rateHz);
    return { timeMs, tag: audioFrame(timeMs + offMs(index)) };
  });
  // Video that outlasts the audio would end in silence.
  const durationMs = Math.floor((count * 1024) / rateHz) * 1000;
  const pictures = broadcast({ durationMs, audioToMs: 0 }).map((tag) => ({ timeMs: tag.timestampMs, tag }));
  const sent = [...pictures, ...frames].toSorted((one, other) => one.timeMs - other.timeMs).map(({ tag }) => tag);
  return pack([header, ...sent]).segments.flatMap(audio);
}
