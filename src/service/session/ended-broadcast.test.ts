import { expect, test } from 'vitest';
import { endedBroadcast } from './ended-broadcast.ts';

const session = { sessionId: 'session-1', startedAt: 1_000, lastSeen: 32_000, at: 92_000 };

test('a broadcast whose encoder was lost is bad news, and says since when it was gone and for how long', () => {
  expect(endedBroadcast({ ...session, reason: 'ingest-lost' })).toEqual({
    ...{ sessionId: 'session-1', startedAt: 1_000, endedAt: 92_000, reason: 'ingest-lost', lostAt: 32_000 },
    ...{ severity: 'bad', sentence: 'The broadcast ended: the encoder was gone for 60 s.' },
  });
});

test('one that was ended on purpose is no bad news, and says by whom', () => {
  expect(endedBroadcast({ ...session, lastSeen: 91_500, reason: 'terminated', by: 'robot' })).toEqual({
    ...{ sessionId: 'session-1', startedAt: 1_000, endedAt: 92_000, reason: 'terminated', severity: 'good' },
    sentence: 'A program with the API key “robot” ended the broadcast over the interface.',
  });
});
