import { describe, expect, it } from 'vitest';
import { broadcast, type OpusFrameMs, opusHeader, opusPacket } from '../../../test/support/flv-builder.ts';
import { audio, kinds, pack } from '../../../test/support/pack.ts';
import type { FlvTag } from '../flv/flv-tag.ts';

const silence = Buffer.from('f8fffe', 'hex');

/** Packets for as long as this, but those that begin between these times. */
function packets(frameMs: OpusFrameMs, durationMs: number, [fromMs, toMs]: [number, number] = [0, 0]): FlvTag[] {
  const times = Array.from({ length: durationMs / frameMs }, (_, index) => index * frameMs);
  return times.filter((timeMs) => timeMs < fromMs || timeMs >= toMs).map((timeMs) => opusPacket(Math.floor(timeMs), frameMs));
}

/** With a picture for as long. */
function withPicture(sound: readonly FlvTag[], durationMs: number): FlvTag[] {
  const pictures = broadcast({ durationMs, audioToMs: 0 });
  return [opusHeader(), ...[...pictures, ...sound].sort((one, other) => one.timestampMs - other.timestampMs)];
}

describe.each<OpusFrameMs>([2.5, 5, 10, 20, 60])('Opus in packets of %d ms', (frameMs) => {
  it('has no silence and no hole, however its times are rounded to milliseconds', () => {
    const { segments, malformed } = pack(withPicture(packets(frameMs, 6_000), 6_000));
    expect(malformed).toEqual([]);
    const samples = segments.flatMap(audio);
    expect(samples.map(({ dts }) => dts)).toEqual(Array.from({ length: 6_000 / frameMs }, (_, index) => index * frameMs * 48));
    expect(new Set(samples.map(({ duration }) => duration))).toEqual(new Set([frameMs * 48]));
    expect(samples.some(({ data }) => data.equals(silence))).toBe(false);
  });

  it('is filled with silence where packets are missing, for as long as they would have lasted', () => {
    const { segments } = pack(withPicture(packets(frameMs, 6_000, [1_200, 1_800]), 6_000));
    const samples = segments.flatMap(audio);
    const silent = samples.filter(({ data }) => data.equals(silence));
    expect(silent.map(({ dts, duration }) => [dts, duration])).toEqual(
      Array.from({ length: 30 }, (_, index) => [(1_200 + index * 20) * 48, 960]),
    );
    expect(samples.reduce((sum, { duration }) => sum + duration, 0)).toBe(6_000 * 48);
  });

  it('is carried without video, in parts of whole packets', () => {
    const { segments } = pack([opusHeader(), ...packets(frameMs, 6_000)]);
    expect(kinds(segments)).toEqual(['audio', 'audio', 'audio']);
    expect(segments[0]?.parts.slice(0, -1).map(({ durationSeconds }) => durationSeconds * 1000)).toEqual(
      Array.from({ length: (segments[0]?.parts.length ?? 0) - 1 }, () => expect.closeTo(frameMs === 60 ? 180 : 200, 6)),
    );
  });
});

it('audio that never comes is silence from the beginning', () => {
  const samples = pack(withPicture([], 2_040)).segments.flatMap(audio);
  expect(samples.map(({ data }) => data.equals(silence))).toEqual(Array.from({ length: 102 }, () => true));
});
