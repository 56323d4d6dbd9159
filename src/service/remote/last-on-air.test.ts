import { expect, test } from 'vitest';
import type { AirState, OneClickState } from '../../shared/model/live.ts';
import { testSource } from '../../shared/model/source.ts';
import { type KnownAir, LastOnAir } from './last-on-air.ts';

const settings = { width: 1280, height: 720, fps: 30, videoBitrateBps: 3e6, keyframeSeconds: 1, audioBitrateBps: 160_000 };
const common = { source: testSource, encode: { kind: 'automatic' }, settings, since: 1_000 } as const;
const starting: OneClickState = { kind: 'starting', ...common };
const running: OneClickState = { kind: 'running', ...common, away: [], queueMs: 0, droppedFrames: 0, steadySince: 0 };
const closed = { code: 'closed', during: 'sending' } as const;
const retrying: OneClickState = { kind: 'retrying', ...common, away: [], attempt: 1, retryAt: 0, failure: closed };
const killed = { code: 'killed', signal: 'SIGKILL' } as const;
const failed: OneClickState = { kind: 'failed', source: testSource, at: 60_000, failure: killed, stderr: [] };
const takenOver: OneClickState = { ...failed, failure: { code: 'taken-over' } };

const onAir: AirState = { kind: 'on-air', since: 10_000, sessionId: 'ours' };
const theirs: AirState = { kind: 'on-air', since: 40_000, sessionId: 'theirs' };
const connecting: AirState = { kind: 'connecting', since: 5_000 };
const offAir: AirState = { kind: 'off-air' };
const waits = (sinceMs: number): AirState => ({ kind: 'reconnecting', sessionId: 'ours', since: 10_000, lostAt: sinceMs });

/** A broadcast that has taken this course, in steps of ten seconds. */
function follow(...steps: [oneClick: OneClickState, air: AirState, change?: Partial<KnownAir>][]): LastOnAir {
  const last = new LastOnAir();
  for (const [at, [oneClick, air, change]] of steps.entries())
    last.follow({ now: (at + 1) * 10_000, air, oneClick, isElsewhere: false, isForeign: false, ...change });
  return last;
}

const lostAt = (endedAt: number, failure: object, onAirMs = endedAt - 10_000) => ({
  sessionId: 'ours',
  startedAt: 10_000,
  endedAt,
  onAirMs,
  reason: 'encoder-failed',
  severity: 'bad',
  failure,
});

test('a broadcast that was on air and has failed is lost, until it is dismissed or another one starts', () => {
  expect(follow([starting, connecting], [running, connecting]).findLoss(failed, false)).toBeUndefined();
  const last = follow([starting, connecting], [running, onAir]);
  expect([last.findLoss(running, true), last.findLoss(failed, true)]).toEqual([undefined, lostAt(60_000, killed)]);
  last.follow({ now: 70_000, air: theirs, oneClick: failed, isElsewhere: false, isForeign: false });
  expect(last.findLoss(failed, true)).toEqual(lostAt(60_000, killed));
  last.dismiss();
  expect(last.findLoss(failed, false)).toBeUndefined();
  expect(follow([running, onAir], [failed, offAir], [starting, offAir]).findLoss(failed, false)).toBeUndefined();
});

test("another program's broadcast is never ours: before we send, while we start, and while we try again", () => {
  const before: Parameters<typeof follow> = [
    [{ kind: 'idle' }, theirs],
    [starting, theirs],
    [retrying, theirs, { isForeign: true }],
  ];
  expect(follow(...before).findLoss(failed, true)).toBeUndefined();
  const last = follow([running, onAir], [retrying, theirs]);
  expect(last.findLoss(failed, true)).toEqual(lostAt(60_000, killed));
});

test('while it tries its ingest again, a broadcast is lost once its service has ended it or has another one', () => {
  const lost = (...steps: Parameters<typeof follow>) => follow([running, onAir], ...steps).findLoss(retrying, false);
  expect([
    lost([retrying, onAir]),
    lost([retrying, offAir]),
    lost([retrying, onAir], [retrying, offAir], [retrying, offAir]),
    lost([retrying, theirs, { isForeign: true }]),
  ]).toEqual([undefined, lostAt(20_000, closed), lostAt(30_000, closed), lostAt(20_000, closed)]);
  // It is back.
  expect(lost([retrying, offAir], [running, onAir])).toBeUndefined();
  const connected = follow([running, onAir], [retrying, offAir], [running, connecting]);
  expect(connected.findLoss(running, false)).toBeUndefined();
  expect(follow([running, onAir], [retrying, offAir]).findLoss(failed, false)).toEqual(lostAt(20_000, killed));
});

test('a broadcast that another program took over is lost only if that is not on air', () => {
  const last = follow([running, onAir]);
  expect([last.findLoss(takenOver, true), last.findLoss(takenOver, false)]).toEqual([
    undefined,
    lostAt(60_000, { code: 'taken-over' }),
  ]);
  // Its service can't say so of a region that it doesn't speak for.
  expect(follow([running, onAir, { isElsewhere: true }]).findLoss(takenOver, false)).toBeUndefined();
});

test('a broadcast that its service ends while its ingest is tried again was on air until its last loss', () => {
  const lost = (...steps: Parameters<typeof follow>) => follow([running, onAir], ...steps).findLoss(retrying, false);
  expect([
    lost([retrying, waits(20_000)], [retrying, waits(21_000)], [retrying, offAir]),
    lost([retrying, waits(20_000)], [running, onAir], [retrying, waits(40_000)], [retrying, offAir]),
  ]).toEqual([lostAt(40_000, closed, 10_000), lostAt(50_000, closed, 30_000)]);
});
