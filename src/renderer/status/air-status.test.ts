import { expect, test } from 'vitest';
import type { AirState, OneClickState } from '../../shared/model/live.ts';
import { testSource } from '../../shared/model/source.ts';
import type { StreamView } from '../../shared/model/views.ts';
import { formatMoment, formatTimeOfDay } from '../format/moment.ts';
import {
  broadcastSince,
  describeAir,
  describeOthers,
  formatAirNote,
  formatAway,
  isBroadcasting,
  isCounted,
  mayHaveViewers,
  nameForTitle,
  noContact,
  pickMostUrgent,
} from './air-status.ts';

const startMs = Date.UTC(2030, 0, 1);
const off: AirState = { kind: 'off-air' };
const on: AirState = { kind: 'on-air', since: startMs, sessionId: 's' };
const silent: AirState = { ...on, silentSince: startMs + 10_000 };
const lost: Extract<AirState, { kind: 'reconnecting' }> = {
  kind: 'reconnecting',
  since: startMs,
  sessionId: 's',
  lostAt: startMs + 10_000,
  until: startMs + 70_000,
};
const lostBroadcast = { sessionId: 's', endedAt: startMs };
const source = testSource;
const idle: OneClickState = { kind: 'idle' };
const starting: OneClickState = { kind: 'starting', source, encode: { kind: 'automatic' }, since: 1 };
const failed: OneClickState = { kind: 'failed', source, at: 1, failure: { code: 'file-gone' }, stderr: [] };

/** The large state and its note, `afterMs` after the start. */
function say(facts: Parameters<typeof describeAir>[0], afterMs = 0) {
  const status = describeAir(facts);
  const nowMs = startMs + afterMs;
  const word = [status.word, formatAway(status, nowMs)].filter(Boolean).join(' ');
  return [status.tone, word, formatAirNote(status, nowMs, 0)];
}

test('each state has its colour, word and times', () => {
  expect(say({ air: on }, 16_000)).toEqual(['live', 'On air', undefined]);
  expect(say({ air: { kind: 'connecting', since: 1 } })).toEqual(['busy', 'Connecting', undefined]);
  expect(say({ air: off })).toEqual(['calm', 'Off air', undefined]);
  expect(say({ air: off, suspended: true })).toEqual(['calm', 'Suspended', undefined]);
});

test('a broadcast without media is amber, counts the seconds, and is never called on air', () => {
  expect(say({ air: silent }, 16_900)).toEqual(['warn', 'No signal 6\u00a0s', undefined]);
  expect(say({ air: silent, oneClick: 'running' }, 16_900)).toEqual(['warn', 'No signal 6\u00a0s', undefined]);
  for (const air of [silent, { ...lost, until: undefined, back: 'sending' as const }]) {
    expect(say({ air: { ...air, unplayable: 'no-keyframe' } }, 22_900)).toEqual(['warn', 'Unplayable 12\u00a0s', undefined]);
  }
});

test("another program's encoder is a lost signal; only one click is reconnecting", () => {
  expect(say({ air: lost }, 31_000)).toEqual(['warn', 'Signal lost 21\u00a0s', 'ends in 39\u00a0s']);
  // The last second is counted until it is over.
  expect(say({ air: lost }, 69_600)).toEqual(['warn', 'Signal lost 59\u00a0s', 'ends in 1\u00a0s']);
  // The page's clock is from just before the loss.
  expect(say({ air: lost }, 9_100)).toEqual(['warn', 'Signal lost 0\u00a0s', 'ends in 60\u00a0s']);
  expect(say({ air: lost, oneClick: 'failed' }, 31_000)).toEqual(['warn', 'Signal lost 21\u00a0s', 'ends in 39\u00a0s']);
  for (const oneClick of ['starting', 'running', 'retrying'] as const) {
    expect(say({ air: lost, oneClick }, 31_000)).toEqual(['warn', 'Reconnecting 21\u00a0s', 'ends in 39\u00a0s']);
  }
  expect(say({ air: off, oneClick: 'retrying', lost: lostBroadcast })).toEqual(['warn', 'Reconnecting', undefined]);
});

test('one click that is stopped without a connection is stopping: nobody waits for its media any more', () => {
  expect(describeAir({ air: lost, oneClick: 'stopping' })).toEqual({
    kind: 'reconnecting',
    tone: 'busy',
    word: 'Stopping',
    onAirSince: startMs,
  });
});

test('a stopped broadcast that its remote service has not ended yet is stopping, not a lost signal', () => {
  expect(describeAir({ air: { ...lost, isEndedHere: true } })).toEqual(describeAir({ air: lost, oneClick: 'stopping' }));
});

test('one click that never reached its ingest is connecting', () => {
  expect(say({ air: off, oneClick: 'retrying' })).toEqual(['warn', 'Connecting', undefined]);
  const undismissed = { ...lostBroadcast, isEarlier: true } as const;
  expect(say({ air: off, oneClick: 'retrying', lost: undismissed })).toEqual(['warn', 'Connecting', undefined]);
});

test('a returned encoder is neither gone nor about to end the broadcast', () => {
  const { until: _, ...lostSince } = lost;
  const back: AirState = { ...lostSince, back: 'sending' };
  expect(say({ air: back }, 99_000)).toEqual(['warn', 'Encoder back', 'picture in a moment']);
  expect(say({ air: back, oneClick: 'retrying' }, 99_000)).toEqual(['warn', 'Encoder back', 'picture in a moment']);
  expect(say({ air: back, oneClick: 'running' }, 99_000)).toEqual(['warn', 'Reconnected', 'picture in a moment']);
});

test('a reconnected encoder that sends nothing is still no signal, and nothing ends meanwhile', () => {
  const { until: _, ...lostSince } = lost;
  const connected: AirState = { ...lostSince, back: 'connected' };
  expect(say({ air: connected }, 31_000)).toEqual(['warn', 'Signal lost 21\u00a0s', undefined]);
  expect(say({ air: connected, oneClick: 'running' }, 31_000)).toEqual(['warn', 'Reconnecting 21\u00a0s', undefined]);
});

test('past times and clocks that were set back read as zero', () => {
  expect(say({ air: lost }, 99_000)).toEqual(['warn', 'Signal lost 89\u00a0s', 'ends in 0\u00a0s']);
  expect(say({ air: silent }, 0)).toEqual(['warn', 'No signal 0\u00a0s', undefined]);
});

test('a lost broadcast is off air in amber until dismissed, and the title says so', () => {
  const status = describeAir({ air: { ...off, endedAt: startMs + 9_000 }, lost: lostBroadcast });
  expect([status.kind, status.tone, status.word, nameForTitle(status)]).toEqual(['lost', 'warn', 'Off air', 'Broadcast lost']);
  expect(formatAirNote(status, startMs, 0)).toMatch(/^ended at \d\d:\d\d:\d\d$/);
  // By the page's clock, which is five seconds behind the service's.
  expect(formatAirNote(status, startMs, 5_000)).toBe(`ended at ${formatTimeOfDay(startMs - 5_000)}`);
  const tomorrowMs = startMs + 24 * 3_600_000;
  expect(formatAirNote(status, tomorrowMs, 5_000)).toBe(`ended at ${formatMoment(startMs - 5_000, tomorrowMs)}`);
  expect([describeAir({ air: on, lost: lostBroadcast }).tone, nameForTitle(noContact)]).toEqual(['live', 'No contact']);
});

test('a stream suspended after a loss still shows the loss', () => {
  const status = describeAir({
    air: { ...off, endedAt: startMs + 9_000 },
    lost: lostBroadcast,
    suspended: true,
  });
  expect([status.kind, status.tone, status.word, nameForTitle(status)]).toEqual([
    'lost',
    'warn',
    'Suspended',
    'Broadcast lost',
  ]);
  expect(formatAirNote(status, startMs, 0)).toMatch(/^ended at/);
});

test('time is counted only while something runs', () => {
  const counting = [on, silent, lost, off].map((air) => isCounted(describeAir({ air })));
  expect([...counting, isCounted(noContact)]).toEqual([true, true, true, false, false]);
});

test('the most urgent stream is one in trouble, else one on air', () => {
  const stream = (name: string, air: AirState, rest: Partial<StreamView> = {}) => ({ name, air, ...rest }) as StreamView;
  const pick = (...streams: StreamView[]) => pickMostUrgent(streams)?.stream.name;
  const [quiet, live, gone] = [stream('quiet', off), stream('live', on), stream('gone', lost)];
  expect([pick(quiet), pick(quiet, live), pick(live, gone), pick(stream('was', off, { lost: lostBroadcast }), live)]).toEqual([
    undefined,
    'live',
    'gone',
    'live',
  ]);
});

test('a broadcast that viewers get badly is marked, and more urgent than one that is well', () => {
  const stream = (name: string, air: AirState, severity?: 'warn' | 'bad') => ({ name, air, severity }) as StreamView;
  const pick = (...streams: StreamView[]) => pickMostUrgent(streams)?.stream.name;
  const [well, warned, bad, gone] = [
    stream('well', on),
    stream('warned', on, 'warn'),
    stream('bad', on, 'bad'),
    stream('gone', lost),
  ];
  expect([pick(well, warned), pick(warned, bad), pick(well, bad, warned), pick(bad, gone)]).toEqual([
    'warned',
    'bad',
    'bad',
    'gone',
  ]);
  expect([well, warned, bad].map((each) => describeAir(each).isWarned)).toEqual([undefined, true, true]);
  // The word says more than a mark.
  expect(describeAir({ air: silent, severity: 'bad' }).isWarned).toBeUndefined();
  expect(describeAir({ ...bad, isUnheard: true })).toEqual(noContact);
});

test('only streams that are on air are counted as such', () => {
  const others = (...airs: AirState[]) => describeOthers(airs.map((air) => ({ air }) as StreamView));
  const connecting: AirState = { kind: 'connecting', since: 1 };
  expect([
    others(),
    others(off),
    others(on),
    others(on, on),
    others(lost),
    others(connecting, silent),
    others(on, lost, on),
  ]).toEqual([
    undefined,
    undefined,
    'and 1 more on air',
    'and 2 more on air',
    'and 1 more',
    'and 2 more',
    'and 3 more, 2 of them on air',
  ]);
});

test('a broadcast that was lost is over: it is not counted among the others', () => {
  const others = [{ air: on }, { air: off, lost: lostBroadcast }] as StreamView[];
  expect(describeOthers(others)).toBe('and 1 more on air');
});

test('Stop has something to end while anything runs', () => {
  expect([
    isBroadcasting(off, idle),
    isBroadcasting(off, failed),
    isBroadcasting(off, starting),
    isBroadcasting(on, idle),
  ]).toEqual([false, false, true, true]);
});

test('the timer counts from the start of the broadcast, across a reconnect', () => {
  expect([broadcastSince(off), broadcastSince(on), broadcastSince(lost)]).toEqual([undefined, startMs, startMs]);
});

test('a broadcast is counted from its start in each of its states, and so is what it waits for', () => {
  const awaySince = startMs + 10_000;
  const { until, ...lostSince } = lost;
  expect(
    [on, silent, lost, { ...lostSince, back: 'sending' as const }, { ...lostSince, back: 'connected' as const }].map((air) =>
      describeAir({ air }),
    ),
  ).toEqual([
    { kind: 'on-air', tone: 'live', word: 'On air', onAirSince: startMs },
    { kind: 'no-signal', tone: 'warn', word: 'No signal', onAirSince: startMs, awaySince },
    { kind: 'signal-lost', tone: 'warn', word: 'Signal lost', onAirSince: startMs, awaySince, endsAt: until },
    { kind: 'reconnecting', tone: 'warn', word: 'Encoder back', onAirSince: startMs },
    { kind: 'signal-lost', tone: 'warn', word: 'Signal lost', onAirSince: startMs, awaySince },
  ]);
});

test('viewers may have a broadcast from its first picture until its end, and one elsewhere that nobody can see yet', () => {
  const connecting: AirState = { kind: 'connecting', since: startMs };
  const airs: AirState[] = [
    off,
    connecting,
    { ...connecting, awaiting: 'keyframe' },
    { ...connecting, awaiting: 'playlist' },
    on,
    silent,
    lost,
  ];
  expect(airs.map(mayHaveViewers)).toEqual([false, false, false, true, true, true, true]);
});

test('a stream of a service that does not answer may be on air or not', () => {
  expect([on, off].map((air) => describeAir({ air, isUnheard: true }))).toEqual([noContact, noContact]);
});
