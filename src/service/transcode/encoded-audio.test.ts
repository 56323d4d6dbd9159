import { expect, test } from 'vitest';
import { audioHeader } from '../../../test/support/flv-builder.ts';
import { aacFormat } from '../media/aac-format.ts';
import { EncodedAudio } from './encoded-audio.ts';

const config = aacFormat.parseRecord(audioHeader().body.subarray(2));
const times = { timeline: 3, timescale: 1000 } as const;
const frameAt = (dts: number) => ({ type: 'audio', timescale: 1000, dts, config, data: Buffer.from([1]) }) as const;

/** When the frames that ffmpeg stamps with these times are played, if it was first fed audio of `fedFromMs`. */
function place(stampsMs: readonly number[], { startMs, fedFromMs }: { startMs: number; fedFromMs: number }) {
  const audio = new EncodedAudio({ timeline: 3, startMs, originMs: 10_000 });
  for (const timeMs of [fedFromMs, fedFromMs + 21, fedFromMs + 43]) audio.expect(timeMs);
  return stampsMs.flatMap((dts) => audio.place(frameAt(dts))?.dts ?? []);
}

test('audio before the first keyframe stays at its own time, however long that is held back for frames that are reordered', () => {
  expect(place([9_912, 9_933, 9_955, 9_976, 9_997, 10_019], { startMs: 5_088, fedFromMs: 5_000 })).toEqual([
    5_000, 5_021, 5_043, 5_064, 5_085, 5_107,
  ]);
});

test('what an encoder puts before the first frame that it was fed is left out', () => {
  expect(place([9_979, 10_000, 10_021], { startMs: 0, fedFromMs: 0 })).toEqual([0, 21]);
  expect(place([9_979, 10_000, 10_021], { startMs: 7_000, fedFromMs: 7_000 })).toEqual([7_000, 7_021]);
  // Opus skips 6.5 ms before its first frame (RFC 7845 §4.2).
  expect(place([9_985, 10_007, 10_028], { startMs: 7_000, fedFromMs: 7_000 })).toEqual([7_007, 7_028]);
});

test('a first frame that is rounded down stays, but never begins before the timeline', () => {
  expect(place([9_999, 10_020], { startMs: 0, fedFromMs: 0 })).toEqual([0, 20]);
  expect(place([9_999, 10_020], { startMs: 7_000, fedFromMs: 7_000 })).toEqual([6_999, 7_020]);
});

test('the configuration, which FLV puts at 0, is placed at the first keyframe', () => {
  const audio = new EncodedAudio({ timeline: 3, startMs: 7_000, originMs: 10_000 });
  const announced = { type: 'config', timescale: 1000, dts: 0, config } as const;
  expect(audio.place(announced)).toEqual({ ...announced, ...times, dts: 7_000 });
  audio.expect(7_000);
  expect(audio.place(frameAt(10_000))).toEqual({ ...frameAt(7_000), ...times });
});
