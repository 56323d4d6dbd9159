import { expect, test } from 'vitest';
import { aacFormat } from '../media/aac-format.ts';
import { opusFormat } from '../media/opus-format.ts';
import type { AudioConfig } from '../media/track-config.ts';
import { AudioTrack } from './audio-track.ts';

/** AAC frames of 1024 samples, which last 21.33 ms at 48 kHz and 23.22 ms at 44.1 kHz. */
const parse = (hex: string) => aacFormat.parseRecord(Buffer.from(hex, 'hex'));
const stereo = parse('1190');
const mono = parse('1188');
const slower = parse('1210');
const opus = opusFormat.parseRecord(opusFormat.sample!.record);
const frame = Buffer.from('audio');

/** A track that has had frames stamped with these times, in milliseconds. */
function createTrack(timesMs: readonly number[], config: AudioConfig = stereo): AudioTrack {
  const track = new AudioTrack();
  track.setConfig(config);
  for (const timeMs of timesMs) track.push(timeMs, frame);
  return track;
}

/** When each waiting frame begins, in samples. */
function takeTimes(track: AudioTrack, config: AudioConfig = stereo): number[] {
  const run = track.takeBefore(Number.POSITIVE_INFINITY, config);
  let time = run?.baseDecodeTime ?? 0;
  return (run?.samples ?? []).map(({ duration }) => {
    time += duration;
    return time - duration;
  });
}

test.each<[string, number[], number[]]>([
  ['stamped in whole milliseconds follow each other', [0, 21, 43, 64], [0, 1024, 2048, 3072]],
  // Half a frame is 10.67 ms.
  ['stamped late by up to half a frame are on time', [0, 32, 42], [0, 1024, 2048]],
  ['stamped later leave a gap', [0, 33, 54], [0, 1584, 2608]],
  // The first one ends at 121.33 ms.
  ['stamped up to 50 ms before the last one ended are on time, and earlier ones are dropped', [100, 71, 72], [4800, 5824]],
])('AAC frames %s', (_, timesMs, times) => {
  expect(takeTimes(createTrack(timesMs))).toEqual(times);
});

test('a long frame is on time if it is stamped late by up to 20 ms', () => {
  // A packet of two frames of 60 ms (RFC 6716 §3.2.5).
  const packet = Buffer.from('1b0200', 'hex');
  const track = new AudioTrack();
  track.setConfig(opus);
  for (const timeMs of [0, 140, 261]) track.push(timeMs, packet);
  expect(takeTimes(track, opus)).toEqual([0, 5760, 12_528]);
});

test('waiting frames are counted and measured, and found by their ends', () => {
  const track = createTrack([0, 21, 43]);
  expect([track.count, track.sizeBytes, track.startMs, track.firstFrameMs, track.endMs]).toEqual([3, 15, 0, 1024 / 48, 64]);
  expect([0, 64 / 3, 22, 64, 65].map((timeMs) => track.findEndFrom(timeMs))).toEqual([64 / 3, 64 / 3, 128 / 3, 64, undefined]);
  expect([21, 64 / 3, 22, 64, 65].map((timeMs) => track.findEndBefore(timeMs))).toEqual([undefined, 64 / 3, 64 / 3, 64, 64]);
  track.dropBefore(128 / 3);
  expect([track.count, track.sizeBytes, track.startMs]).toEqual([1, 5, 128 / 3]);
  track.restart();
  expect([track.count, track.sizeBytes, track.startMs, track.endMs]).toEqual([0, 0, undefined, undefined]);
  expect(track.takeBefore(Number.POSITIVE_INFINITY, stereo)).toBeUndefined();
});

test('a new timeline begins where its first frame is stamped, and so does another sample rate', () => {
  const track = createTrack([5_000, 5_021]);
  track.restart();
  track.push(1, frame);
  expect(takeTimes(track)).toEqual([48]);
  track.setConfig(slower);
  track.push(21, frame);
  expect(takeTimes(track, slower)).toEqual([926]);
});

const silence = aacFormat.makeSilence(stereo);
const sample = (data: Buffer | undefined, duration = 1024) => ({ data, duration, compositionOffset: 0, sync: true });

test('the last frame before a gap lasts until the next one, even if that is taken later', () => {
  const track = createTrack([0, 21, 200]);
  expect(track.takeBefore(200, stereo)).toEqual({
    config: stereo,
    baseDecodeTime: 0,
    samples: [sample(frame), sample(frame, 9600 - 1024)],
  });
  track.setConfig(mono);
  track.push(300, frame);
  // The next one is coded in another way, so it is in another segment.
  expect(track.takeBefore(300, stereo)).toEqual({ config: stereo, baseDecodeTime: 9600, samples: [sample(frame)] });
});

test('frames of another configuration become silence of the same length, and real gaps stay', () => {
  const track = createTrack([0, 21]);
  expect(takeTimes(track)).toEqual([0, 1024]);
  track.setConfig(mono);
  for (const timeMs of [43, 64, 200]) track.push(timeMs, frame);
  expect(track.takeBefore(Number.POSITIVE_INFINITY, stereo)).toEqual({
    config: stereo,
    baseDecodeTime: 2048,
    samples: [sample(silence), sample(silence, 9600 - 3 * 1024), sample(silence)],
  });
});

test('silence in place of frames at another sample rate is as long as they are, to half a frame', () => {
  const track = createTrack([0]);
  track.setConfig(slower);
  // They last 232 ms, to 253 ms.
  for (let index = 0; index < 10; index += 1) track.push(21 + index * 23, frame);
  expect(takeTimes(track)).toEqual(Array.from({ length: 12 }, (_, index) => index * 1024));
});

test('frames of another configuration are dropped before the first of this one', () => {
  const track = createTrack([0], mono);
  track.setConfig(stereo);
  track.push(21, frame);
  expect(takeTimes(track)).toEqual([1024]);
});
