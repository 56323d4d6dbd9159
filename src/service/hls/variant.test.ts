import { expect, it } from 'vitest';
import { broadcast } from '../../../test/support/flv-builder.ts';
import type { FlvTag } from '../media/flv-tag.ts';
import { Packager } from './packager.ts';
import { SegmentStore } from './segment-store.ts';
import { describeVariant } from './variant.ts';

/** The frame rate that the multivariant playlist says after these publishers. */
function fpsOf(...publishers: FlvTag[][]): number | undefined {
  const store = new SegmentStore();
  for (const tags of publishers) {
    const packager = new Packager({ startedAtMs: 0, sink: store });
    for (const tag of tags) packager.push(tag);
    packager.end();
  }
  return describeVariant('source', store).fps;
}

it.each([24, 25, 30, 60, 30_000 / 1001, 24_000 / 1001])('says the rate of a source at %f fps', (fps) => {
  expect(fpsOf(broadcast({ durationMs: 12_000, fps, gopFrames: Math.round(fps) }))).toBe(fps);
});

it('says the highest rate, not the average, of one that varies and of one that came back with another', () => {
  const isKept = (tag: FlvTag) => tag.kind === 'audio' || tag.timestampMs % 4000 < 1000 || tag.timestampMs % 500 < 20;
  expect(fpsOf(broadcast({ durationMs: 12_000, fps: 50, gopFrames: 50 }).filter(isKept))).toBe(50);
  const at = (fps: number) => broadcast({ durationMs: 4_000, fps, gopFrames: fps });
  expect(fpsOf(at(60), at(30), at(30))).toBe(60);
});
