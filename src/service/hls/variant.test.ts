import { expect, it } from 'vitest';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { broadcast, videoFrame, videoHeader } from '../../../test/support/flv-builder.ts';
import { TagPackager } from '../../../test/support/tag-packager.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import type { Variant } from './playlist/multivariant-playlist.ts';
import { describeVariant } from './variant.ts';

/** The variant in the multivariant playlist after these publishers. */
function describe(...publishers: FlvTag[][]): Variant {
  const store = createSegmentStore();
  for (const tags of publishers) {
    const packager = new TagPackager({ startedAtMs: 0, sink: store });
    for (const tag of tags) packager.push(tag);
    packager.end();
  }
  return describeVariant('source', store);
}

const fpsOf = (...publishers: FlvTag[][]) => describe(...publishers).fps;

it.each([24, 25, 30, 60, 30_000 / 1001, 24_000 / 1001])('says the rate of a source at %f fps', (fps) => {
  expect(fpsOf(broadcast({ durationMs: 12_000, fps, gopFrames: Math.round(fps) }))).toBe(fps);
});

it('says the highest rate, not the average, of one that varies and of one that came back with another', () => {
  const isKept = (tag: FlvTag) => tag.kind === 'audio' || tag.timestampMs % 4000 < 1000 || tag.timestampMs % 500 < 20;
  expect(fpsOf(broadcast({ durationMs: 12_000, fps: 50, gopFrames: 50 }).filter(isKept))).toBe(50);
  const at = (fps: number) => broadcast({ durationMs: 4_000, fps, gopFrames: fps });
  expect(fpsOf(at(60), at(30), at(30))).toBe(60);
});

/** Frames with these stamps, with a keyframe every second. */
const stamped = (stampOf: (index: number) => number) =>
  Array.from({ length: 300 }, (_, index) => videoFrame(Math.round(stampOf(index)), { keyframe: index % 30 === 0 }));

it.each([
  ['come in a burst once', (index: number) => (index >= 95 && index < 105 ? 3_450 + (index - 95) * 5 : (index * 1000) / 30)],
  ['bear one stamp', (index: number) => (index >= 95 && index < 101 ? 3_166 : (index * 1000) / 30)],
  ['tremble', (index: number) => (index * 1000) / 30 + (((index * 7) % 17) - 8)],
])('says the rate of a source some of whose pictures %s', (_, stampOf) => {
  expect(fpsOf([videoHeader(), ...stamped(stampOf)])).toBe(30);
});

it('is more than an encoder promises if it sends more', () => {
  const [, ...media] = broadcast({ durationMs: 8_000, fps: 60, gopFrames: 60 });
  expect(fpsOf([videoHeader('1920x1080 at 30'), ...media])).toBe(60);
  const [, ...promised] = broadcast({ durationMs: 8_000, fps: 29, gopFrames: 29 });
  expect(fpsOf([videoHeader('1920x1080 at 30'), ...promised])).toBe(30);
});

it('has the transfer characteristics that its source states', () => {
  const [, ...media] = broadcast({ durationMs: 4_000 });
  expect(describe([videoHeader('1280x720 in PQ'), ...media]).transfer).toBe(16);
  expect(describe([videoHeader(), ...media])).not.toHaveProperty('transfer');
});
