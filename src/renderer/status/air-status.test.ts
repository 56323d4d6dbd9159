import { expect, test } from 'vitest';
import type { AirState, OneClickState } from '../../shared/model/live.ts';
import { broadcastSince, describeAir, describeBroadcast, isBroadcasting } from './air-status.ts';

const off: AirState = { kind: 'off-air' };
const on: AirState = { kind: 'on-air', since: 5, sessionId: 's' };
const lost: AirState = { kind: 'reconnecting', since: 5, sessionId: 's', lostAt: 6, until: 7 };
const source = { kind: 'test-picture' } as const;
const idle: OneClickState = { kind: 'idle' };
const starting: OneClickState = { kind: 'starting', source, quality: '720p30', since: 1 };
const retrying: OneClickState = {
  kind: 'retrying',
  source,
  quality: '720p30',
  since: 1,
  attempt: 2,
  retryAt: 9,
  sentence: 'Lost.',
};
const failed: OneClickState = { kind: 'failed', source, at: 1, sentence: 'No.', stderr: [] };

test('each air state has its word, and a suspended stream says so', () => {
  const words = [on, { kind: 'connecting', since: 1 } as const, lost, off].map((air) => describeAir(air, false).word);
  expect([...words, describeAir(off, true).word]).toEqual(['On air', 'Connecting', 'Reconnecting', 'Off air', 'Suspended']);
});

test('a one-click broadcast that starts or retries is never called off air', () => {
  expect([starting, retrying, failed, idle].map((oneClick) => describeBroadcast(off, oneClick, false).word)).toEqual([
    'Connecting',
    'Reconnecting',
    'Off air',
    'Off air',
  ]);
});

test('Stop has something to end while anything runs', () => {
  expect([
    isBroadcasting(off, idle),
    isBroadcasting(off, failed),
    isBroadcasting(off, starting),
    isBroadcasting(on, idle),
  ]).toEqual([false, false, true, true]);
});

test('the timer counts from the start of the broadcast, through a reconnect', () => {
  expect([broadcastSince(off), broadcastSince(on), broadcastSince(lost)]).toEqual([undefined, 5, 5]);
});
