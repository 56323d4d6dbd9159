import { expect, test } from 'vitest';
import { createRendition } from '../../../test/support/ladder-rendition.ts';
import { recommendedProfiles } from '../../shared/model/profile.ts';
import type { LadderRendition } from './ladder-rendition.ts';
import { RenditionSchedule } from './rendition-schedule.ts';

const all = recommendedProfiles.map((profile) => createRendition(profile));
/** The costliest first. */
const [large, middle, small] = all as [LadderRendition, LadderRendition, LadderRendition];
const always = () => true;

function schedule() {
  return new RenditionSchedule(all, { returnAfterMs: 60_000, maxReturnAfterMs: 200_000 });
}

test('the costliest is shed first and returns last, one at a time, a minute apart', () => {
  const renditions = schedule();
  expect([renditions.shed(0), renditions.shed(10_000)]).toEqual([large, middle]);
  expect(renditions.active).toEqual([small]);
  expect(renditions.restore(69_999, always)).toBeUndefined();
  expect(renditions.restore(70_000, always)).toBe(middle);
  expect(renditions.active).toEqual([middle, small]);
  expect(renditions.restore(129_999, always)).toBeUndefined();
  expect(renditions.restore(130_000, always)).toBe(large);
  expect(renditions.restore(500_000, always)).toBeUndefined();
});

test('the costliest is shed first in whichever order the renditions were asked for', () => {
  const renditions = new RenditionSchedule([middle, small, large], { returnAfterMs: 60_000, maxReturnAfterMs: 200_000 });
  expect([renditions.shed(0), renditions.shed(0), renditions.shed(0)]).toEqual([large, middle, small]);
});

test('a rendition that is shed again stays away for longer, up to a bound', () => {
  const renditions = schedule();
  let now = 0;
  const awayMs = [60_000, 120_000, 200_000, 200_000];
  for (const milliseconds of awayMs) {
    expect(renditions.shed(now)).toBe(large);
    expect(renditions.restore(now + milliseconds - 1, always)).toBeUndefined();
    expect(renditions.restore(now + milliseconds, always)).toBe(large);
    now += milliseconds + 1_000;
  }
});

test('a rendition that ran for as long as the longest pause starts over: its last return was no wrong judgement', () => {
  const renditions = schedule();
  renditions.shed(0);
  renditions.restore(60_000, always);
  renditions.shed(70_000);
  // There was no room for long: only what it ran counts.
  expect(renditions.restore(500_000, always)).toBe(large);
  renditions.shed(500_000 + 199_999);
  expect(renditions.restore(699_999 + 199_999, always)).toBeUndefined();
  expect(renditions.restore(900_000, always)).toBe(large);
  renditions.shed(900_000 + 200_000);
  expect(renditions.restore(1_100_000 + 59_999, always)).toBeUndefined();
  expect(renditions.restore(1_100_000 + 60_000, always)).toBe(large);
});

test('one that its owner turned off while it was shed, and on again, starts over too once it has run for long', () => {
  const renditions = schedule();
  renditions.shed(0);
  renditions.leaveOut([large]);
  renditions.leaveOut([]);
  renditions.shed(500_000);
  expect(renditions.restore(560_000, always)).toBe(large);
});

test('one that its owner turned off while it was shed, and on again, stays away for longer if it is shed again soon', () => {
  const renditions = schedule();
  renditions.shed(0);
  renditions.leaveOut([large]);
  renditions.leaveOut([]);
  // It runs from the end of its pause.
  expect(renditions.shed(60_000 + 199_999)).toBe(large);
  expect(renditions.restore(379_998, always)).toBeUndefined();
  expect(renditions.restore(379_999, always)).toBe(large);
});

test('when none is left there is none to shed', () => {
  const renditions = schedule();
  expect([1, 2, 3, 4].map((now) => renditions.shed(now))).toEqual([large, middle, small, undefined]);
  expect(renditions.restore(60_003, always)).toBe(small);
});

test('a rendition returns only if there is room, and a smaller one without room keeps the others away', () => {
  const renditions = schedule();
  expect([renditions.shed(0), renditions.shed(0)]).toEqual([large, middle]);
  expect(renditions.isWhole).toBe(false);
  expect(renditions.restore(500_000, (rendition) => rendition === large)).toBeUndefined();
  expect(renditions.restore(500_000, (rendition) => rendition === middle)).toBe(middle);
  expect(renditions.restore(600_000, (rendition) => rendition === middle)).toBeUndefined();
  expect(renditions.restore(600_000, (rendition) => rendition === large)).toBe(large);
  expect(renditions.isWhole).toBe(true);
});

test('a rendition that its owner leaves out is neither made nor shed until it is taken back', () => {
  const renditions = schedule();
  expect(renditions.shed(0)).toBe(large);
  expect(renditions.leaveOut([large, small])).toEqual({ added: [large, small], takenBack: [] });
  expect(renditions.active).toEqual([middle]);
  expect(renditions.isWhole).toBe(true);
  expect(all.map((rendition) => renditions.whyAbsent(rendition))).toEqual(['left-out', undefined, 'left-out']);
  expect(renditions.leaveOut([small])).toEqual({ added: [], takenBack: [large] });
  expect(all.map((rendition) => renditions.whyAbsent(rendition))).toEqual([undefined, undefined, 'left-out']);
});
