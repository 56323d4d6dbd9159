import { expect, test } from 'vitest';
import { eightSeconds, LiveStage, oneSegment } from '../../../test/support/live-stage.ts';
import { makeTestFolder, openStoreStand } from '../../../test/support/store-stand.ts';
import type { EndedBroadcast } from '../../shared/model/live.ts';
import { endedBroadcast } from './ended-broadcast.ts';

const hourMs = 3_600_000;

test.each([-hourMs, hourMs])('a wall clock that is set by %i ms prolongs no window, and cuts none short', (setMs) => {
  const stage = new LiveStage();
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  sink.end({ kind: 'lost', cause: { code: 'connection-broke', reason: 'ECONNRESET' } });
  stage.state.setMs = setMs;
  stage.state.now += 59_999;
  stage.stream.tick();
  expect(stage.stream.air).toMatchObject({ kind: 'reconnecting', until: stage.state.now + setMs + 1 });
  stage.state.now += 1;
  stage.stream.tick();
  expect(stage.stream.air).toMatchObject({ kind: 'off-air', endedAt: stage.state.now + setMs });
  // An ended broadcast plays for one live window, of 60 s here.
  stage.state.setMs = -setMs;
  stage.state.now += 60_000;
  stage.stream.tick();
  expect(stage.stream.playback().kind).toBe('playable');
  stage.state.now += 1;
  stage.stream.tick();
  expect(stage.stream.playback().kind).toBe('off-air');
});

test.each([-hourMs, hourMs])(
  'a session begins and ends at the wall clock time of the moment, even if the clock was set by %i ms',
  (setMs) => {
    const stage = new LiveStage();
    const ends: number[] = [];
    stage.options.ledger.endSession = (_sessionId, at) => ends.push(at);
    const sink = stage.stream.admit(stage.createPublisher());
    stage.state.setMs = setMs;
    stage.play(sink, oneSegment);
    const beganAt = stage.state.now + setMs;
    expect(stage.ledger[0]).toEqual(['begin', 'stream-1', expect.closeTo(beganAt, -3)]);
    stage.state.setMs = -setMs;
    stage.stream.end({ reason: 'stopped' });
    expect(ends).toEqual([stage.state.now - setMs]);
  },
);

test.each([-hourMs, hourMs])('ages are told right when the wall clock is set by %i ms', (setMs) => {
  const stage = new LiveStage();
  const sink = stage.stream.admit(stage.createPublisher());
  stage.play(sink);
  const before = stage.stream.air;
  stage.state.setMs = setMs;
  const now = stage.state.now + setMs;
  expect(stage.stream.lastMediaAt).toBe(now);
  expect(stage.stream.facts().meters).toMatchObject({ measuredAt: now, fps: expect.closeTo(10, 1) });
  expect(stage.stream.air).toEqual({ ...before, since: expect.closeTo((before as { since: number }).since + setMs) });
  stage.state.lastSeen = 0;
  stage.stream.tick();
  expect(stage.state.lastSeen).toBe(now);
});

test.each([-hourMs, hourMs])(
  'a publisher that is back after the wall clock was set by %i ms is dated by the new clock',
  (setMs) => {
    for (const setWhile of ['away', 'silent', 'sending']) {
      const stage = new LiveStage();
      const first = stage.stream.admit(stage.createPublisher());
      const split = setWhile === 'sending' ? 5_000 : 8_000;
      stage.play(
        first,
        eightSeconds.filter(({ timestampMs }) => timestampMs < split),
      );
      if (setWhile === 'sending') {
        stage.state.setMs = setMs;
        // Ends the segment that began before.
        stage.play(
          first,
          eightSeconds.filter(({ timestampMs }) => timestampMs >= split && timestampMs < 5_900),
        );
      }
      stage.state.now += 2_000;
      if (setWhile === 'silent') stage.state.setMs = setMs;
      first.end({ kind: 'lost', cause: { code: 'connection-broke', reason: 'ECONNRESET' } });
      stage.state.setMs = setMs;
      stage.state.now += 2_000;
      const backAt = stage.state.now + setMs;
      const whole = stage.dates().length;
      stage.play(stage.stream.admit(stage.createPublisher()), oneSegment);
      const ahead = stage
        .dates()
        .slice(whole)
        .map((date) => Math.round((date - backAt) / 100));
      expect([setWhile, ahead]).toEqual([setWhile, [0]]);
    }
  },
);

/** A session whose publisher is lost for good, as reported after a restart; the wall clock is set by `setMs` meanwhile. */
async function loseBroadcast(setMs: number, setWhile: 'on-air' | 'away'): Promise<EndedBroadcast | undefined> {
  using folder = makeTestFolder();
  const sessionId = await (async () => {
    using stand = await openStoreStand({ folder: folder.path });
    const { id: streamId } = await stand.streams.create({ name: 'Sunday show' });
    const stage = new LiveStage({ streamId, ledger: stand.ledger });
    Object.assign(stand.clock, stage.options.clock);
    const sink = stage.stream.admit(stage.createPublisher());
    const [before, after] = [true, false].map((is) => eightSeconds.filter(({ timestampMs }) => timestampMs < 5_000 === is));
    stage.play(sink, before);
    if (setWhile === 'on-air') stage.state.setMs = setMs;
    stage.play(sink, after);
    sink.end({ kind: 'lost', cause: { code: 'connection-broke', reason: 'ECONNRESET' } });
    stage.state.setMs = setMs;
    stage.state.now += 60_000;
    stage.stream.tick();
    return stand.ledger.findLost(streamId) ?? '';
  })();
  using again = await openStoreStand({ folder: folder.path });
  const end = again.streams.ends.find(sessionId);
  return end && endedBroadcast(end);
}

test.each([-hourMs, hourMs])(
  'a session was on air, and its publisher gone, for just as long if the wall clock is set by %i ms meanwhile',
  async (setMs) => {
    const lengths = { onAirMs: 5_877, goneMs: 60_000 };
    const unset = await loseBroadcast(0, 'on-air');
    expect(unset).toMatchObject(lengths);
    for (const setWhile of ['on-air', 'away'] as const) {
      // Its begin and end are as the clock showed them at the time.
      const times = { startedAt: unset?.startedAt, endedAt: (unset?.endedAt ?? 0) + setMs };
      expect(await loseBroadcast(setMs, setWhile)).toMatchObject({ ...lengths, ...times });
    }
  },
);
