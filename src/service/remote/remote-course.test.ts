import { expect, test } from 'vitest';
import type { AirState, OneClickState } from '../../shared/model/live.ts';
import type { LogEvent } from '../../shared/model/log-line.ts';
import { RemoteCourse } from './remote-course.ts';

const offAir: AirState = { kind: 'off-air' };
const onAir: AirState = { kind: 'on-air', since: 0, sessionId: 'a' };
const silent: AirState = { ...onAir, silentSince: 0 };
const reconnecting: AirState = { kind: 'reconnecting', since: 0, sessionId: 'a', lostAt: 0 };

/** What is noted when a broadcast takes this course, second by second. */
function follow(...course: [OneClickState['kind'], AirState][]): LogEvent[] {
  const noted: LogEvent[] = [];
  const followed = new RemoteCourse((event) => noted.push(event));
  for (const [second, [kind, air]] of course.entries()) followed.follow(air, { kind } as OneClickState, second * 1_000);
  return noted;
}

test('a broadcast is on air, back after a loss, and ended by its owner', () => {
  expect(
    follow(
      ['starting', offAir],
      ['running', offAir],
      ['running', onAir],
      ['running', silent],
      ['running', onAir],
      ['retrying', reconnecting],
      ['retrying', reconnecting],
      ['running', silent],
      ['running', onAir],
      ['stopping', onAir],
      ['idle', onAir],
      ['idle', offAir],
    ),
  ).toEqual([
    { code: 'on-air', afterMs: 2_000 },
    { code: 'back-on-air', afterMs: 3_000 },
    { code: 'ended', reason: 'stopped' },
  ]);
});

test("another encoder's broadcast is not ours, and one that was never on air has no end", () => {
  expect(follow(['starting', onAir], ['stopping', onAir], ['idle', onAir])).toEqual([]);
  expect(follow(['starting', offAir], ['retrying', offAir], ['idle', offAir])).toEqual([]);
});

test('after a broadcast that failed, the next one begins by itself', () => {
  const noted = follow(['running', onAir], ['failed', onAir], ['starting', onAir], ['running', offAir], ['running', onAir]);
  expect(noted).toEqual([
    { code: 'on-air', afterMs: 0 },
    { code: 'on-air', afterMs: 2_000 },
  ]);
});
