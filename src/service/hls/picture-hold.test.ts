import { expect, test } from 'vitest';
import { broadcast } from '../../../test/support/flv-builder.ts';
import { audio, discontinuities, isSilence, pack, video } from '../../../test/support/pack.ts';
import type { FlvTag } from '../flv/flv-tag.ts';

/** A broadcast's video comes later than it is stamped, while its audio continues. */
const delayPictures = (tags: readonly FlvTag[], delayMs: (stampMs: number) => number): FlvTag[] => {
  const comesMs = ({ kind, timestampMs }: FlvTag) => timestampMs + (kind === 'video' ? delayMs(timestampMs) : 0);
  return tags.toSorted((one, other) => comesMs(one) - comesMs(other));
};

/** When each frame is shown, in milliseconds, and whether it was sent rather than held. */
function show(tags: readonly FlvTag[]) {
  const { segments } = pack(tags);
  expect(discontinuities(segments).filter(Boolean)).toHaveLength(1);
  const sound = segments.flatMap(audio);
  expect(sound.map(({ dts }) => dts)).toEqual(sound.map((_, index) => index * 1024));
  expect(sound.filter(({ data }) => isSilence(data))).toEqual([]);
  return segments.flatMap(video).map(({ dts, data }) => ({ atMs: dts / 90, isHeld: data.length < 60 }));
}

const everyFrame = (seconds: number) => Array.from({ length: seconds * 25 }, (_, index) => index * 40);

test('frames that come all at once, long after their audio, are dropped up to the held picture', () => {
  const tags = broadcast({ durationMs: 20_000, gopFrames: 25 });
  const pictures = show(delayPictures(tags, (stampMs) => (stampMs >= 5_000 && stampMs < 13_000 ? 13_000 - stampMs : 0)));
  expect(pictures.map(({ atMs }) => atMs)).toEqual(everyFrame(20));
  // The held picture is a keyframe where a segment begins.
  expect(pictures.filter(({ isHeld }) => isHeld).length).toBeGreaterThan(180);
  expect(pictures.filter(({ atMs }) => atMs >= 13_000).every(({ isHeld }) => !isHeld)).toBe(true);
});

test('the held picture waits for video that is back and stays a second behind its audio', () => {
  const tags = broadcast({ durationMs: 30_000, gopFrames: 25 }).filter(
    ({ kind, timestampMs }) => kind === 'audio' || timestampMs < 5_000 || timestampMs >= 10_000,
  );
  const pictures = show(delayPictures(tags, (stampMs) => (stampMs >= 10_000 ? 1_000 : 0)));
  expect(pictures.map(({ atMs }) => atMs)).toEqual(everyFrame(30));
  expect(pictures.filter(({ atMs }) => atMs >= 14_000).every(({ isHeld }) => !isHeld)).toBe(true);
});
