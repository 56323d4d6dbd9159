import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createPublisher } from '../../../test/support/create-publisher.ts';
import { openStoreStand } from '../../../test/support/store-stand.ts';
import { createTestRegistry } from '../../../test/support/test-registry.ts';
import { ownSoftware } from '../lib/own-software.ts';
import { openHoldTable, type SavedHold } from '../store/hold-table.ts';
import { openHoldLedger } from '../streams/hold-ledger.ts';
import { HoldAfterStop } from './hold-after-stop.ts';

const obs = ['FMLE/3.0', 'OBS Studio 29.0.2'] as const;
const unnamed = [undefined, undefined] as const;
const own = [ownSoftware, undefined] as const;

let now: number;
/** How far the wall clock is ahead. */
let wallMs: number;
let saved: SavedHold | undefined;
const clock = { now: () => now + wallMs, monotonicMs: () => now };
const open = (left?: SavedHold) => {
  saved = left;
  const save = (hold: SavedHold | undefined) => {
    saved = hold;
  };
  return new HoldAfterStop({ clock, saved: left, save });
};
/** The service runs again, this much later, with a monotonic clock that starts from 0. */
const restart = (afterMs: number) => {
  wallMs += now + afterMs;
  now = 0;
  return open(saved);
};
beforeEach(() => {
  now = 0;
  wallMs = 1_000_000;
});

test('OBS, which tries 25 times with pauses that grow by half, is refused every time', () => {
  const hold = open();
  let pauseMs = 2_000;
  hold.begin({ isForeign: true });
  for (let attempt = 0; attempt < 25; attempt += 1) {
    now += pauseMs;
    expect(hold.refuses(...obs)).toBe(true);
    pauseMs = Math.min(pauseMs * 1.5, 15 * 60_000);
  }
  expect(hold.view).toEqual({
    id: wallMs,
    since: wallMs,
    isForeign: true,
    lastTriedAt: wallMs + now,
    software: 'OBS Studio 29.0.2',
  });
});

test('after a session of our own it refuses publishers too, and says that there was none, even after a restart', () => {
  const hold = open();
  hold.begin({ isForeign: false });
  expect(hold.view).toEqual({ id: wallMs, since: wallMs, isForeign: false });
  const again = restart(1_000);
  expect(again.view).toEqual({ id: 1_000_000, since: 1_000_000, isForeign: false });
  again.begin({ isForeign: true });
  // The publisher may still come: a session of our own does not change that.
  again.begin({ isForeign: false });
  expect(again.view).toMatchObject({ isForeign: true });
  expect([again.refuses(...obs), again.view]).toMatchObject([true, { lastTriedAt: 1_001_000, software: 'OBS Studio 29.0.2' }]);
});

test('it ends when no publisher has tried for a minute', () => {
  const hold = open();
  hold.begin({ isForeign: true });
  now = 30_000;
  expect(hold.refuses(...unnamed)).toBe(true);
  now = 89_999;
  expect(hold.lapse()).toBe(false);
  now = 90_000;
  expect([hold.lapse(), hold.lapse(), saved]).toEqual([true, false, undefined]);
  expect(hold.refuses(...unnamed)).toBe(false);
});

test('a try after that minute is let in, whether or not anyone has noticed that it was over', () => {
  const hold = open();
  hold.begin({ isForeign: true });
  now = 60_000;
  expect([hold.refuses(...obs), hold.isOn, saved]).toEqual([false, false, undefined]);
});

test('it ends when the owner lifts it', () => {
  const hold = open();
  hold.begin({ isForeign: true });
  hold.letIn('all');
  expect([hold.refuses(...unnamed), hold.view, saved]).toEqual([false, undefined, undefined]);
  // There is nothing to lift any more.
  for (const who of ['all', 'own'] as const) hold.letIn(who);
  expect([hold.isOn, saved]).toEqual([false, undefined]);
});

test('once lifted, it waits for the publisher that tried until that is back, or no more try can come', () => {
  const hold = open();
  const at = (ms: number) => {
    now = ms;
    return hold;
  };
  at(0).begin({ isForeign: true });
  at(1).letIn('all');
  // No publisher tried, so it waits for none.
  expect(hold.view).toBeUndefined();

  at(1_000).begin({ isForeign: true });
  at(3_000).refuses(...obs);
  at(4_000).letIn('all');
  const awaited = {
    id: wallMs + 1_000,
    since: wallMs + 1_000,
    isForeign: true,
    lastTriedAt: wallMs + 3_000,
    letInAt: wallMs + 4_000,
    software: 'OBS Studio 29.0.2',
  };
  // A restart does not refuse it again.
  expect([hold.view, saved]).toEqual([awaited, undefined]);
  expect([at(6_000).refuses(...obs), hold.view]).toEqual([false, undefined]);

  at(10_000).begin({ isForeign: true });
  at(12_000).refuses(...obs);
  at(52_000).refuses(...obs);
  at(53_000).letIn('all');
  expect([at(131_999).lapse(), hold.view === undefined, at(132_000).lapse()]).toEqual([false, false, true]);
  expect(hold.view).toBeUndefined();

  at(140_000).begin({ isForeign: true });
  at(141_000).refuses(...obs);
  at(142_000).letIn('all');
  at(143_000).begin({ isForeign: true });
  expect([hold.view, at(144_000).refuses(...obs)]).toEqual([
    { id: wallMs + 143_000, since: wallMs + 143_000, isForeign: true },
    true,
  ]);
});

test('an owner who lets a publisher in and then goes live from here is not pushed off air by it', () => {
  const hold = open();
  hold.begin({ isForeign: true });
  hold.refuses(...obs);
  hold.letIn('all');
  expect(saved).toBeUndefined();
  hold.letIn('own');
  expect([hold.refuses(...own), hold.refuses(...obs), saved]).toEqual([false, true, expect.anything()]);
  hold.letIn('all');
  expect(hold.refuses(...obs)).toBe(false);
});

test('Go live lets our own publisher in, and none that still reconnects', () => {
  const hold = open();
  hold.begin({ isForeign: true });
  now = 1_000;
  expect(hold.refuses(...own)).toBe(true);
  now = 2_000;
  hold.letIn('own');
  now = 3_000;
  expect([hold.view, hold.refuses(...own), hold.view]).toEqual([undefined, false, undefined]);
  now = 4_000;
  expect(hold.refuses(...obs)).toBe(true);
  const seen = { id: wallMs, since: wallMs, isForeign: true, lastTriedAt: wallMs + 4_000, software: 'OBS Studio 29.0.2' };
  expect(hold.view).toEqual(seen);
  // The owner goes live from here again: the publisher that was refused still shows.
  now = 4_500;
  hold.letIn('own');
  expect([hold.refuses(...own), hold.view]).toEqual([false, seen]);
  hold.begin({ isForeign: true });
  now = 5_000;
  hold.letIn('own');
  expect(hold.view).toBeUndefined();
  hold.begin({ isForeign: true });
  now = 6_000;
  expect(hold.refuses(...own)).toBe(true);
});

test('a hold keeps its id when the clock is set and over a restart; the next one has another', () => {
  const first = open();
  const ids: (number | undefined)[] = [];
  const see = (hold: HoldAfterStop) => ids.push(hold.view?.id);
  first.begin({ isForeign: true });
  see(first);
  now += 1_000;
  see(first);
  const again = restart(1_000);
  see(again);
  wallMs -= 3_600_000;
  see(again);
  now += 5_000;
  again.refuses(...obs);
  see(again);
  const last = restart(1_000);
  see(last);
  expect(ids).toEqual(Array(6).fill(1_000_000));
  last.begin({ isForeign: true });
  expect(last.view?.id).not.toBe(1_000_000);
});

test('it continues across a restart for another minute, since nobody noticed tries meanwhile', () => {
  const first = open();
  first.begin({ isForeign: true });
  now = 50_000;
  expect(first.refuses(...obs)).toBe(true);
  const again = restart(30_000);
  expect(again.view).toEqual({
    id: 1_000_000,
    since: 1_000_000,
    isForeign: true,
    lastTriedAt: 1_050_000,
    software: 'OBS Studio 29.0.2',
  });
  now = 59_999;
  expect([again.lapse(), again.refuses(...unnamed)]).toEqual([false, true]);
  now = 59_999 + 120_000;
  expect([again.lapse(), saved]).toEqual([true, undefined]);
});

test.each([
  { outageMs: 40 * 60_000, heldMs: 15 * 60_000 },
  { outageMs: 10 * 60_000, heldMs: 5 * 60_000 },
  { outageMs: 1_000, heldMs: 60_000 },
  { outageMs: -3_600_000, heldMs: 60_000 },
])('a publisher may pause for half of an outage of $outageMs ms: held for $heldMs ms after it', ({ outageMs, heldMs }) => {
  open().begin({ isForeign: true });
  const again = restart(outageMs);
  now = heldMs - 1;
  expect(again.lapse()).toBe(false);
  now = heldMs;
  expect(again.lapse()).toBe(true);
});

test('a sleep does not count as silence: tries went unnoticed meanwhile', () => {
  const hold = open();
  hold.begin({ isForeign: true });
  now = 5_000;
  expect(hold.refuses(...obs)).toBe(true);
  // As on macOS and Windows, where the monotonic clock runs on.
  now += 3_600_000;
  hold.noteOutage(3_600_000);
  expect([hold.lapse(), hold.refuses(...obs)]).toEqual([false, true]);
});

test.each([
  { outageMs: 40 * 60_000, heldMs: 15 * 60_000 },
  { outageMs: 10 * 60_000, heldMs: 5 * 60_000 },
  { outageMs: 60_000, heldMs: 60_000 },
])('a publisher may pause for half of a sleep of $outageMs ms: held for $heldMs ms after it', ({ outageMs, heldMs }) => {
  const hold = open();
  hold.begin({ isForeign: true });
  // As on Linux, where the monotonic clock stops.
  now = 59_000;
  wallMs += outageMs;
  hold.noteOutage(outageMs);
  now += heldMs - 1;
  expect(hold.lapse()).toBe(false);
  now += 1;
  expect(hold.lapse()).toBe(true);
});

test('after a sleep nobody is refused if nothing was stopped, or if the publisher is let in', () => {
  const hold = open();
  hold.noteOutage(3_600_000);
  expect([hold.isOn, saved]).toEqual([false, undefined]);
  hold.begin({ isForeign: true });
  expect(hold.refuses(...obs)).toBe(true);
  hold.letIn('all');
  now += 3_600_000;
  hold.noteOutage(3_600_000);
  expect([hold.isOn, hold.refuses(...obs), saved]).toEqual([true, false, undefined]);
});

test('after a restart the registry refuses at once, and its screens say so before anybody tries', async () => {
  using stand = await openStoreStand();
  const { id, streamKey } = await stand.streams.create({ name: 'Sunday show' });
  const holds = openHoldLedger(openHoldTable(stand.db), stand.writer);
  holds.save(id, { since: stand.clock.time, lastTriedAt: null, longestPauseMs: 0, software: null, isForeign: true });
  const registry = createTestRegistry(stand, { holds });
  onTestFinished(() => registry.close());
  expect(registry.findLive(id)?.hold).toEqual({ id: stand.clock.time, since: stand.clock.time, isForeign: true });
  const publisher = createPublisher({ connectedAt: stand.clock.time });
  expect(registry.admit(streamKey ?? '', publisher)).toMatchObject({ kind: 'refused', reason: { code: 'stopped' } });
  // Stopped once more, before the publisher that was let in reconnects.
  registry.findLive(id)?.letIn('all');
  registry.endSession(id, { reason: 'stopped' });
  expect(registry.admit(streamKey ?? '', publisher)).toMatchObject({ kind: 'refused', reason: { code: 'stopped' } });
  registry.findLive(id)?.letIn('all');
  expect(holds.streamIds()).toEqual([]);
  expect(registry.admit(streamKey ?? '', publisher).kind).toBe('admitted');
});

test('the store keeps how long publishers may pause after an outage, in whole milliseconds', async () => {
  using stand = await openStoreStand();
  const { id } = await stand.streams.create({ name: 'Sunday show' });
  const table = openHoldTable(stand.db);
  const holds = openHoldLedger(table, stand.writer);
  const hold = new HoldAfterStop({ clock: stand.clock, saved: undefined, save: (value) => holds.save(id, value) });
  hold.begin({ isForeign: true });
  hold.noteOutage(1_000_000.5);
  expect(table.list()).toMatchObject([{ streamId: id, longestPauseMs: 250_001 }]);
});

test('a hold without a try for over four hours refuses nobody: every publisher has given up', () => {
  open().begin({ isForeign: true });
  const again = restart(4 * 3_600_000 + 1);
  expect([again.view, again.refuses(...obs)]).toEqual([undefined, false]);
  now = 0;
  open().begin({ isForeign: true });
  expect(restart(4 * 3_600_000).refuses(...obs)).toBe(true);
});

test('a hold that is hours old still refuses a publisher that tries', () => {
  const hold = open();
  hold.begin({ isForeign: true });
  for (let pauseMs = 2_000; now <= 4 * 3_600_000; pauseMs = Math.min(pauseMs * 1.5, 15 * 60_000)) {
    now += pauseMs;
    hold.refuses(...obs);
  }
  expect(restart(1_000).refuses(...obs)).toBe(true);
});

test.each(['a restart', 'a sleep'])('OBS is refused however many tries %s keeps from being noticed', (outage) => {
  const growth = 1.5;
  const letIn: string[] = [];
  for (let noticed = 1; noticed <= 12; noticed += 1) {
    for (let missed = 1; missed <= 3; missed += 1) {
      now = 0;
      let hold = open();
      hold.begin({ isForeign: true });
      let pauseMs = 2_000;
      for (let tries = 0; tries < noticed; tries += 1, pauseMs *= growth) {
        now += pauseMs;
        hold.refuses(...obs);
      }
      // It begins just before a try, and ends just after one.
      now += pauseMs - 1;
      let awayMs = 1;
      for (let tries = 1; tries < missed; tries += 1) awayMs += pauseMs *= growth;
      if (outage === 'a restart') {
        hold = restart(awayMs);
      } else {
        now += awayMs;
        hold.noteOutage(awayMs);
      }
      now += pauseMs * growth;
      if (!hold.refuses(...obs)) letIn.push(`after ${noticed} tries, ${missed} missed in ${awayMs} ms`);
    }
  }
  expect(letIn).toEqual([]);
});
