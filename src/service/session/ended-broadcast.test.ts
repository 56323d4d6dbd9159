import { expect, test } from 'vitest';
import { endedBroadcast } from './ended-broadcast.ts';

const session = { sessionId: 'session-1', startedAt: 1_000, at: 92_000, lastedMs: 91_000, goneMs: 60_000 };

test('a session whose publisher was lost is bad news, and says for how long it was gone', () => {
  expect(endedBroadcast({ ...session, reason: 'ingest-lost' })).toEqual({
    sessionId: 'session-1',
    startedAt: 1_000,
    endedAt: 92_000,
    onAirMs: 31_000,
    goneMs: 60_000,
    reason: 'ingest-lost',
    severity: 'bad',
  });
});

test('a session that was ended on purpose is not bad news, and says by whom', () => {
  expect(endedBroadcast({ ...session, goneMs: 500, reason: 'terminated', by: 'robot' })).toEqual({
    sessionId: 'session-1',
    startedAt: 1_000,
    endedAt: 92_000,
    onAirMs: 91_000,
    reason: 'terminated',
    severity: 'good',
    by: 'robot',
  });
});

test('a session whose stored lengths disagree was on air for no time, never for less', () => {
  expect(endedBroadcast({ ...session, lastedMs: 0, reason: 'stopped' }).onAirMs).toBe(0);
});
