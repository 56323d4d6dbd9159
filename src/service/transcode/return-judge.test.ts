import { expect, test } from 'vitest';
import { createRendition } from '../../../test/support/ladder-rendition.ts';
import { recommendedProfiles } from '../../shared/model/profile.ts';
import type { LadderRendition } from './ladder-rendition.ts';
import { ReturnJudge } from './return-judge.ts';

const renditions = recommendedProfiles.map((profile) => createRendition(profile));
const [large, , small] = renditions as [LadderRendition, LadderRendition, LadderRendition];

/** A computer with four cores, of which this many are idle. */
function judge(idleCores: number) {
  let elapsedMs = 0;
  const readCores = () =>
    [0, 1, 2, 3].map((core) => {
      const idle = Math.min(Math.max(idleCores - core, 0), 1);
      return { busyMs: elapsedMs * (1 - idle), idleMs: elapsedMs * idle };
    });
  const room = new ReturnJudge({ readCores }, 2_000);
  return {
    room,
    watch() {
      for (const second of [1, 2, 3]) {
        elapsedMs = second * 1_000;
        room.measure(second * 1_000);
      }
      return room;
    },
  };
}

test("a rendition has room if its share of the ladder's cost is idle, and a quarter more", () => {
  // 1280 × 720 of 1 561 920 pixels: of two cores, 1.18.
  for (const [idle, hasRoom] of [
    [1.4, false],
    [1.5, true],
  ] as const) {
    const { room, watch } = judge(idle);
    room.noteShed(large, { renditions, cpuSeconds: 2, sourceFps: 30 });
    expect(watch().hasRoom(large)).toBe(hasRoom);
  }
});

test('an unmeasured cost is estimated from size and rate', () => {
  // 27.6 million pixels a second; twice as many at the 60 fps assumed for a source that announces no rate.
  for (const [idle, fps, hasRoom] of [
    [0.6, 30, false],
    [0.8, 30, true],
    [0.8, undefined, false],
    [1.5, undefined, true],
  ] as const) {
    const { room, watch } = judge(idle);
    room.noteShed(large, { renditions, cpuSeconds: undefined, sourceFps: fps });
    expect(watch().hasRoom(large)).toBe(hasRoom);
  }
});

test("an estimate goes by the rendition's own frame rate if it has one, not the source's", () => {
  for (const [idle, fps, sourceFps, hasRoom] of [
    [0.6, 30, 15, false],
    [0.8, 30, 60, true],
    [0.8, 60, 30, false],
    [1.5, 60, 30, true],
  ] as const) {
    const { room, watch } = judge(idle);
    const rendition = createRendition({ ...large.profile, fps });
    room.noteShed(rendition, { renditions: [rendition], cpuSeconds: undefined, sourceFps });
    expect(watch().hasRoom(rendition)).toBe(hasRoom);
  }
});

test('there is no room before enough was measured, and always room where nothing can be measured', () => {
  const { room } = judge(4);
  room.noteShed(small, { renditions, cpuSeconds: 0.1, sourceFps: 30 });
  room.measure(0);
  expect(room.hasRoom(small)).toBe(false);
  const blind = new ReturnJudge({ readCores: () => [] }, 2_000);
  blind.noteShed(large, { renditions, cpuSeconds: 100, sourceFps: 30 });
  blind.measure(0);
  expect(blind.hasRoom(large)).toBe(true);
});
