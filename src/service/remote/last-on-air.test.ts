import { expect, test } from 'vitest';
import { encodePresets } from '../../shared/model/encode-settings.ts';
import type { AirState, OneClickState } from '../../shared/model/live.ts';
import { testSource } from '../../shared/model/source.ts';
import { LastOnAir } from './last-on-air.ts';

const failure = { code: 'connection-refused', address: 'live.example.com:1935' } as const;
const sent = {
  source: testSource,
  encode: { kind: 'preset', name: '720p30' },
  settings: encodePresets['720p30'],
  since: 0,
  away: [],
} as const;
const running: OneClickState = { kind: 'running', ...sent, away: [], queueMs: 0, droppedFrames: 0, steadySince: 0 };
const retrying: OneClickState = { kind: 'retrying', ...sent, away: [], attempt: 1, retryAt: 0, failure };
const onAir: AirState = { kind: 'on-air', sessionId: 'first', since: 0 };
const lostAt = (at: number): AirState => ({ kind: 'reconnecting', sessionId: 'first', since: 0, lostAt: at });
const offAir: AirState = { kind: 'off-air' };
const loss = { sessionId: 'first', startedAt: 0, reason: 'encoder-failed', severity: 'bad', failure };

/** The loss after these seconds, each with what was known then. */
function findLoss(course: [seconds: number, AirState, OneClickState][]) {
  const last = new LastOnAir();
  let oneClick: OneClickState = { kind: 'idle' };
  for (const [seconds, air, next] of course) {
    oneClick = next;
    last.follow({ now: seconds * 1_000, air, oneClick, isElsewhere: false, isForeign: false });
  }
  return last.findLoss(oneClick, false);
}

test('a broadcast that its service ends while its ingest is tried again was on air until it was lost', () => {
  const course = [
    [0, onAir, running],
    [60, lostAt(60_000), retrying],
    [61, lostAt(61_000), retrying],
    [125, offAir, retrying],
  ] as [number, AirState, OneClickState][];
  expect(findLoss(course)).toEqual({ ...loss, endedAt: 125_000, onAirMs: 60_000 });
});

test('a broadcast that came back before it was lost for good was on air until the second loss', () => {
  const course = [
    [0, onAir, running],
    [60, lostAt(60_000), retrying],
    [90, onAir, running],
    [100, lostAt(100_000), retrying],
    [165, offAir, retrying],
  ] as [number, AirState, OneClickState][];
  expect(findLoss(course)).toEqual({ ...loss, endedAt: 165_000, onAirMs: 100_000 });
});

test('a broadcast that its service ends at once was on air until then', () => {
  const course = [
    [0, onAir, running],
    [60, offAir, retrying],
  ] as [number, AirState, OneClickState][];
  expect(findLoss(course)).toEqual({ ...loss, endedAt: 60_000, onAirMs: 60_000 });
});
