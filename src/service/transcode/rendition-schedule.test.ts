import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../shared/model/profile.ts';
import { RenditionSchedule } from './rendition-schedule.ts';

const always = () => true;

function schedule() {
  return new RenditionSchedule(recommendedProfiles, { returnAfterMs: 60_000, maxReturnAfterMs: 200_000 });
}

test('the costliest goes first and returns last, one at a time, a minute apart', () => {
  const renditions = schedule();
  expect([renditions.shed(0), renditions.shed(10_000)]).toEqual([0, 1]);
  expect(renditions.active).toEqual([2]);
  expect(renditions.restore(69_999, always)).toBeUndefined();
  expect(renditions.restore(70_000, always)).toBe(1);
  expect(renditions.active).toEqual([1, 2]);
  expect(renditions.restore(129_999, always)).toBeUndefined();
  expect(renditions.restore(130_000, always)).toBe(0);
  expect(renditions.restore(500_000, always)).toBeUndefined();
});

test('one that must go again and again stays away for longer, up to a bound', () => {
  const renditions = schedule();
  let now = 0;
  const awayMs = [60_000, 120_000, 200_000, 200_000];
  for (const milliseconds of awayMs) {
    expect(renditions.shed(now)).toBe(0);
    expect(renditions.restore(now + milliseconds - 1, always)).toBeUndefined();
    expect(renditions.restore(now + milliseconds, always)).toBe(0);
    now += milliseconds + 1_000;
  }
});

test('when none is left there is none to shed', () => {
  const renditions = schedule();
  expect([1, 2, 3, 4].map((now) => renditions.shed(now))).toEqual([0, 1, 2, undefined]);
});

test('there must be room for the one that returns, and a smaller one that does not fit keeps the others away too', () => {
  const renditions = schedule();
  expect([renditions.shed(0), renditions.shed(0)]).toEqual([0, 1]);
  expect(renditions.isWhole).toBe(false);
  expect(renditions.restore(500_000, (index) => index === 0)).toBeUndefined();
  expect(renditions.restore(500_000, (index) => index === 1)).toBe(1);
  expect(renditions.restore(600_000, (index) => index === 1)).toBeUndefined();
  expect(renditions.restore(600_000, (index) => index === 0)).toBe(0);
  expect(renditions.isWhole).toBe(true);
});

test('what its owner leaves out is neither made nor shed until it is taken back, and then it is made', () => {
  const renditions = schedule();
  expect(renditions.shed(0)).toBe(0);
  expect(renditions.leaveOut([0, 2])).toEqual({ added: [0, 2], takenBack: [] });
  expect(renditions.active).toEqual([1]);
  expect(renditions.isWhole).toBe(true);
  expect(renditions.describe([1], false)).toEqual(['left-out', 'running', 'left-out']);
  expect(renditions.leaveOut([2])).toEqual({ added: [], takenBack: [0] });
  expect(renditions.describe([1], false)).toEqual(['waiting', 'running', 'left-out']);
  expect(renditions.describe([], true)).toEqual(['given-up', 'given-up', 'given-up']);
});
