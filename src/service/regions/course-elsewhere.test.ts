import { expect, test } from 'vitest';
import type { OneClickState, Severity } from '../../shared/model/live.ts';
import { CourseElsewhere, type CourseEvent } from './course-elsewhere.ts';

const failure = { code: 'killed', signal: 'SIGKILL' } as const;
const stateOf = (kind: OneClickState['kind'] | 'taken-over') =>
  (kind === 'taken-over' ? { kind: 'failed', failure: { code: kind } } : { kind, failure }) as OneClickState;

type Step = [OneClickState['kind'] | 'taken-over', 'plays' | 'plays nothing'];

/** The log events of a broadcast that takes this course, second by second. */
function follow(steps: Step[], finish?: (course: CourseElsewhere, nowMs: number) => void) {
  const noted: (CourseEvent & { severity: Severity })[] = [];
  const course = new CourseElsewhere((severity, event) => noted.push({ severity, ...event }));
  for (const [second, [kind, playing]] of steps.entries()) course.follow(stateOf(kind), playing === 'plays', second * 1_000);
  finish?.(course, steps.length * 1_000);
  return noted;
}

test('a broadcast is on air, back after a loss, and ended with the name of who ended it', () => {
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
      course.follow(stateOf('stopping'), true, nowMs);
      course.follow(stateOf('idle'), true, nowMs);
      course.end({ reason: 'stopped' }, nowMs);
    },
  );
  expect(noted).toEqual([
    { severity: 'good', code: 'on-air', afterMs: 2_000 },
    { severity: 'good', code: 'back-on-air', afterMs: 3_000 },
    { severity: 'good', code: 'ended', ...cause },
  ]);
});

test('a broadcast that is ended while it is lost says how long it was gone', () => {
  const lost: Step[] = [
    ['running', 'plays'],
    ['retrying', 'plays nothing'],
    ['retrying', 'plays nothing'],
  ];
  expect(follow(lost, (course, nowMs) => course.end({ reason: 'stopped' }, nowMs))).toEqual([
    { severity: 'good', code: 'on-air', afterMs: 0 },
    { severity: 'good', code: 'ended', reason: 'stopped', goneMs: 2_000 },
  ]);
});

test("another encoder's broadcast is not ours, and a broadcast that was never on air has no end", () => {
  const end = (course: CourseElsewhere, nowMs: number) => course.end({ reason: 'stopped' }, nowMs);
  expect(follow([['starting', 'plays']], end)).toEqual([]);
  expect(follow([['retrying', 'plays nothing']], end)).toEqual([]);
});

test('a broadcast that fails on air is lost, unless another encoder has taken over; the next one begins by itself', () => {
  const noted = follow([
    ['running', 'plays'],
    ['failed', 'plays'],
    ['failed', 'plays'],
    ['starting', 'plays'],
    ['running', 'plays nothing'],
    ['running', 'plays'],
  ]);
  expect(noted).toEqual([
    { severity: 'good', code: 'on-air', afterMs: 0 },
    { severity: 'bad', code: 'ended', reason: 'encoder-failed', failure },
    { severity: 'good', code: 'on-air', afterMs: 2_000 },
  ]);
  const takenOver: Step[] = [
    ['running', 'plays'],
    ['taken-over', 'plays'],
  ];
  expect(follow(takenOver)).toHaveLength(1);
});

test('the time until a broadcast is on air counts from its first try', () => {
  const tries: Step[] = [
    ['retrying', 'plays nothing'],
    ['retrying', 'plays nothing'],
    ['starting', 'plays nothing'],
    ['running', 'plays nothing'],
    ['running', 'plays'],
  ];
  expect(follow(tries)).toEqual([{ severity: 'good', code: 'on-air', afterMs: 4_000 }]);
  expect(follow(tries.slice(2))).toEqual([{ severity: 'good', code: 'on-air', afterMs: 2_000 }]);
});

test('a broadcast after one that was stopped or taken over counts its own time', () => {
  const before: Step[][] = [
    [
      ['starting', 'plays nothing'],
      ['idle', 'plays nothing'],
    ],
    [
      ['running', 'plays'],
      ['taken-over', 'plays'],
    ],
  ];
  const courses = before.map((steps) => follow([...steps, ['starting', 'plays'], ['running', 'plays']]));
  const onAir = (afterMs: number) => ({ severity: 'good', code: 'on-air', afterMs });
  expect(courses).toEqual([[onAir(1_000)], [onAir(0), onAir(1_000)]]);
});
