import { expect, test } from 'vitest';
import { createRendition } from '../../../test/support/ladder-rendition.ts';
import { recommendedProfiles } from '../../shared/model/profile.ts';
import type { LadderRendition } from './ladder-rendition.ts';
import { Shedding } from './shedding.ts';

const renditions = recommendedProfiles.map((profile) => createRendition(profile));
const [large, middle, small] = renditions as [LadderRendition, LadderRendition, LadderRendition];

/** Shedding on a computer with one core, of which a share is idle. */
function setUp(idle: { share: number }) {
  let busyMs = 0;
  let idleMs = 0;
  let now = 0;
  const readCores = () => [{ busyMs, idleMs }];
  const shedding = new Shedding(renditions, { returnAfterMs: 5_000, maxReturnAfterMs: 60_000, roomMs: 2_000 }, { readCores });
  /** Lets seconds pass and returns which rendition returned in which second. */
  const pass = (seconds: number, runsWell = true) => {
    const returned: [second: number, rendition: LadderRendition][] = [];
    for (let second = 0; second < seconds; second += 1) {
      now += 1_000;
      busyMs += 1_000 * (1 - idle.share);
      idleMs += 1_000 * idle.share;
      const rendition = shedding.restore(now, runsWell);
      if (rendition) returned.push([now / 1_000, rendition]);
    }
    return returned;
  };
  const shed = () => shedding.shed(now, { renditions: shedding.active, cpuSeconds: 0.4, sourceFps: 30 });
  /** The ladder rests for so many seconds, in which the computer has nothing to do. */
  const rest = (seconds: number) => {
    now += seconds * 1_000;
    idleMs += seconds * 1_000;
  };
  return { shedding, pass, shed, rest };
}

test('a shed rendition returns after its pause if its share of the cost is idle, and a quarter more', () => {
  const idle = { share: 0.2 };
  const { shedding, pass, shed } = setUp(idle);
  expect(shed()).toBe(large);
  expect([shedding.active, shedding.whyAbsent(large)]).toEqual([[middle, small], 'shed']);
  // It used 0.24 cores.
  expect(pass(20)).toEqual([]);
  idle.share = 0.35;
  expect(pass(3)).toEqual([[22, large]]);
  expect(shedding.active).toEqual(renditions);
});

test('no rendition returns while the others do not run well', () => {
  const { pass, shed } = setUp({ share: 1 });
  shed();
  expect(pass(20, false)).toEqual([]);
  expect(pass(1)).toEqual([[21, large]]);
});

test('idle time from before a rendition was shed does not count', () => {
  const { pass, shed } = setUp({ share: 1 });
  pass(30);
  shed();
  expect(pass(6)).toEqual([[35, large]]);
});

test('idle time while the ladder rested does not count', () => {
  const idle = { share: 0 };
  const { pass, shed, rest } = setUp(idle);
  shed();
  expect(pass(10)).toEqual([]);
  rest(60);
  expect(pass(10)).toEqual([]);
  idle.share = 1;
  expect(pass(3)).toEqual([[81, large]]);
});

test('renditions are shed until none is left', () => {
  const { shedding, shed } = setUp({ share: 0 });
  expect([shed(), shed(), shed(), shed()]).toEqual([large, middle, small, undefined]);
  expect(shedding.active).toEqual([]);
});

test('a rendition that its owner leaves out is not shed, and does not return by itself', () => {
  const { shedding, pass, shed } = setUp({ share: 1 });
  expect(shedding.leaveOut([large])).toEqual({ added: [large], takenBack: [] });
  expect(shed()).toBe(middle);
  expect(pass(20)).toEqual([[5, middle]]);
  expect(shedding.whyAbsent(large)).toBe('left-out');
});
