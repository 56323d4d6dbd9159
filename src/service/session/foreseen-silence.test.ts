import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { admitted } from '../../../test/support/admitted.ts';
import { createPublisher } from '../../../test/support/create-publisher.ts';
import { eightSeconds } from '../../../test/support/live-stage.ts';
import { pushTag } from '../../../test/support/push-tag.ts';
import { openStoreStand } from '../../../test/support/store-stand.ts';
import { createTestRegistry } from '../../../test/support/test-registry.ts';
import { createEventSource } from '../lib/event-source.ts';
import type { StreamChange } from '../streams/stream-change.ts';
import { ForeseenSilences } from './foreseen-silence.ts';

/** A broadcast on air, by timers and a clock of the test; its last media has just arrived. */
async function startBroadcast(toFake?: Parameters<typeof vi.useFakeTimers>[0]) {
  const stand = await openStoreStand();
  const { streams, clock } = stand;
  onTestFinished(() => stand.close());
  const { id, streamKey = '' } = await streams.create({ name: 'Sunday show' });
  vi.useFakeTimers(toFake);
  onTestFinished(() => void vi.useRealTimers());
  const changes = createEventSource<StreamChange>();
  const registry = createTestRegistry(stand, { changes });
  onTestFinished(() => registry.close());
  const sink = admitted(registry.admit(streamKey, createPublisher({ connectedAt: clock.time })));
  const pass = (ms: number) => {
    clock.time += ms;
    vi.advanceTimersByTime(ms);
  };
  for (const [index, tag] of eightSeconds.entries()) {
    pass(Math.max(0, tag.timestampMs - (eightSeconds[index - 1]?.timestampMs ?? 0)));
    pushTag(sink, tag);
  }
  const lastMediaAt = clock.time;
  const told: [afterMs: number, isSilent: boolean][] = [];
  changes.on(() => {
    const air = registry.findLive(id)?.air;
    const isSilent = air?.kind === 'on-air' && air.silentSince !== undefined;
    if (isSilent !== (told.at(-1)?.[1] ?? false)) told.push([clock.time - lastMediaAt, isSilent]);
  });
  /** Sends again after this long without media. */
  const sendAfter = (ms: number) =>
    pushTag(sink, { ...(eightSeconds.at(-1) as (typeof eightSeconds)[0]), timestampMs: 8_000 + ms });
  return { clock, pass, told, sendAfter };
}

test.each([
  ['', 0],
  [', by a clock of whole milliseconds that is one behind the timers', 1],
])(
  'silence is reported 3 s after the last media, not at the next tick, and its end with the first media%s',
  async (_, behindMs) => {
    const { pass, told, sendAfter } = await startBroadcast();
    for (let ms = 0; ms < 4_500; ms += 1) {
      if (ms === 2_990) vi.advanceTimersByTime(behindMs);
      pass(1);
    }
    sendAfter(4_500);
    expect(told).toEqual([
      [3_001, true],
      [4_500, false],
    ]);
  },
);

describe.each([
  { timers: 'the tick', silentMs: 0 },
  { timers: 'the tick and the foreseen silence', silentMs: 2_500 },
])('when a process that stood still continues with $timers', ({ silentMs }) => {
  const standStill = async () => {
    const broadcast = await startBroadcast({ toFake: ['setTimeout', 'clearTimeout'] });
    for (let ms = 0; ms < silentMs; ms += 1) broadcast.pass(1);
    broadcast.clock.time += 4_000;
    vi.advanceTimersByTime(1_000);
    return broadcast;
  };

  test('data that waits in the sockets is read before silence is reported', async () => {
    const { told, sendAfter } = await standStill();
    sendAfter(silentMs + 4_000);
    await setImmediate();
    expect(told).toEqual([]);
  });

  test('silence is reported at once if no data waits', async () => {
    const { told } = await standStill();
    await setImmediate();
    expect(told).toEqual([[silentMs + 4_000, true]]);
  });
});

test('a stream that is deleted shortly before its silence is not reported any more, and none once the service closes', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const silent: string[] = [];
  const silences = new ForeseenSilences({
    withinMs: 1_000,
    monotonicMs: () => Date.now(),
    onSilent: (streamId) => silent.push(streamId),
  });
  const silentAt = Date.now() + 500;
  for (const streamId of ['deleted', 'other']) silences.foresee(streamId, () => silentAt - Date.now());
  silences.forget('deleted');
  vi.advanceTimersByTime(2_000);
  expect(silent).toEqual(['other']);
  expect(vi.getTimerCount()).toBe(0);
  silences.foresee('closed', () => 500);
  silences.close();
  expect(vi.getTimerCount()).toBe(0);
});
