import { describe, expect, it } from 'vitest';
import { audioHeader, broadcast, videoHeader } from '../../../test/support/flv-builder.ts';
import { audio, discontinuities, durations, kinds, pack, startedAtMs } from '../../../test/support/pack.ts';
import type { PackagedSegment } from './packaged-segment.ts';
import { Packager } from './packager.ts';

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
