import { expect, test } from 'vitest';
import { audioFrame, audioHeader, broadcast, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { audio, discontinuities, isSilence, pack, video } from '../../../test/support/pack.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import type { PlacedUnit } from '../media/media-unit.ts';

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

/** When the frames that viewers and the ladder get are decoded, in milliseconds: those that were sent, and those held. */
function placeVideo(tags: readonly FlvTag[]): number[] {
  const placed: PlacedUnit[] = [];
  pack(tags, { onPlaced: (unit) => void placed.push(unit) });
  return placed.flatMap(({ type, dts }) => (type === 'video' ? [dts] : []));
}

test.each([
  { fps: 120, gopFrames: 120, heldMs: [7_999, 8_016, 8_032, 8_049] },
  { fps: 50, gopFrames: 50, heldMs: [8_000, 8_020, 8_040, 8_060] },
  { fps: 1, gopFrames: 1, heldMs: [7_200, 7_240, 7_280, 7_320] },
])('a picture of $fps frames a second is held at no more than 60, and from 200 ms on', ({ fps, gopFrames, heldMs }) => {
  const tags = broadcast({ durationMs: 20_000, fps, gopFrames }).filter(
    ({ kind, timestampMs }) => kind === 'audio' || timestampMs < 8_000,
  );
  const sent = tags.filter(({ kind }) => kind === 'video').slice(1);
  expect(placeVideo(tags).slice(sent.length, sent.length + 4)).toEqual(heldMs);
});

test('a picture is held once the newest frame has been shown, which may be long after it is decoded', () => {
  // I0 P3 B1 B2 P6, 40 ms apart.
  const pictures = [80, 200, 120, 160, 320].map((shownMs, index) =>
    videoFrame(index * 40, { keyframe: index === 0, compositionTimeMs: shownMs - index * 40 }),
  );
  const sound = broadcast({ durationMs: 10_000, video: false });
  const tags = [...sound, ...pictures].sort((one, other) => one.timestampMs - other.timestampMs);
  expect(placeVideo([videoHeader(), ...tags]).slice(0, 7)).toEqual([0, 40, 80, 120, 160, 280, 320]);
});

test('a picture is held no longer than may be, and close behind the audio', () => {
  const sound = Array.from({ length: 60 }, (_, index) => audioFrame(index * 4_000));
  const heldMs = placeVideo([videoHeader(), audioHeader(), videoFrame(0, { keyframe: true }), ...sound]);
  // Each frame of audio earns 0.1 s.
  expect(heldMs.filter((timeMs) => timeMs > 232_000)).toEqual([235_641, 235_681]);
});

test.each([0, 5, 12])('a keyframe that is back %i ms after a held frame comes no closer to it than 10 ms', (offMs) => {
  const tags = broadcast({ durationMs: 20_000, gopFrames: 25 })
    .filter(({ kind, timestampMs }) => kind === 'audio' || timestampMs < 5_000 || timestampMs >= 10_000)
    .map((tag) => (tag.kind === 'video' && tag.timestampMs >= 10_000 ? { ...tag, timestampMs: tag.timestampMs + offMs } : tag));
  const placedMs = placeVideo(delayPictures(tags, (stampMs) => (stampMs >= 10_000 ? 300 : 0)));
  const stepsMs = placedMs.slice(1).map((timeMs, index) => timeMs - (placedMs[index] ?? 0));
  expect(new Set(stepsMs)).toEqual(new Set({ 0: [40], 5: [40, 45], 12: [40, 12] }[offMs]));
});

test('the held picture waits for video that is back and stays a second behind its audio', () => {
  const tags = broadcast({ durationMs: 30_000, gopFrames: 25 }).filter(
    ({ kind, timestampMs }) => kind === 'audio' || timestampMs < 5_000 || (timestampMs >= 10_000 && timestampMs < 20_000),
  );
  const pictures = show(delayPictures(tags, (stampMs) => (stampMs >= 10_000 ? 1_000 : 0)));
  // After it has waited, the picture is held close behind the audio again.
  expect(pictures.map(({ atMs }) => atMs)).toEqual(everyFrame(29.72));
  const sent = pictures.filter(({ atMs }) => atMs >= 14_000 && atMs < 20_000);
  expect(sent.every(({ isHeld }) => !isHeld)).toBe(true);
});
