import { expect, test } from 'vitest';
import type { OneClickState } from '../../shared/model/live.ts';
import { CourseElsewhere, type CourseEvent } from './course-elsewhere.ts';

type Step = [OneClickState['kind'], 'plays' | 'plays nothing'];

/** What is noted when a broadcast takes this course, second by second. */
function follow(steps: Step[], finish?: (course: CourseElsewhere, nowMs: number) => void): CourseEvent[] {
  const noted: CourseEvent[] = [];
  const course = new CourseElsewhere((event) => noted.push(event));
  for (const [second, [kind, playing]] of steps.entries()) course.follow({ kind }, playing === 'plays', second * 1_000);
  finish?.(course, steps.length * 1_000);
  return noted;
}

test('a broadcast is on air, back after a loss, and ended by whoever ended it', () => {
  const cause = { reason: 'terminated', by: 'Bot' } as const;
  const noted = follow(
    [
      ['starting', 'plays nothing'],
      ['running', 'plays nothing'],
      ['running', 'plays'],
      ['running', 'plays nothing'],
      ['running', 'plays'],
      ['retrying', 'plays'],
      ['retrying', 'plays nothing'],
      ['running', 'plays nothing'],
      ['running', 'plays'],
    ],
    (course, nowMs) => {
      course.end(cause, nowMs);
      course.follow({ kind: 'stopping' }, true, nowMs);
      course.follow({ kind: 'idle' }, true, nowMs);
      course.end({ reason: 'stopped' }, nowMs);
    },
  );
  expect(noted).toEqual([
    { code: 'on-air', afterMs: 2_000 },
    { code: 'back-on-air', afterMs: 3_000 },
    { code: 'ended', ...cause },
  ]);
});

test('one that is ended while it is lost says how long it was gone', () => {
  const lost: Step[] = [
    ['running', 'plays'],
    ['retrying', 'plays nothing'],
    ['retrying', 'plays nothing'],
  ];
  expect(follow(lost, (course, nowMs) => course.end({ reason: 'stopped' }, nowMs))).toEqual([
    { code: 'on-air', afterMs: 0 },
    { code: 'ended', reason: 'stopped', goneMs: 2_000 },
  ]);
});

test("another encoder's broadcast is not ours, and one that was never on air has no end", () => {
  const end = (course: CourseElsewhere, nowMs: number) => course.end({ reason: 'stopped' }, nowMs);
  expect(follow([['starting', 'plays']], end)).toEqual([]);
  expect(follow([['retrying', 'plays nothing']], end)).toEqual([]);
});

test('after a broadcast that failed, the next one begins by itself', () => {
  const noted = follow([
    ['running', 'plays'],
    ['failed', 'plays'],
    ['starting', 'plays'],
    ['running', 'plays nothing'],
    ['running', 'plays'],
  ]);
  expect(noted).toEqual([
    { code: 'on-air', afterMs: 0 },
    { code: 'on-air', afterMs: 2_000 },
  ]);
});
