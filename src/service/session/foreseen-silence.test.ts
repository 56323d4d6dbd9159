import { expect, onTestFinished, test, vi } from 'vitest';
import { admitted } from '../../../test/support/admitted.ts';
import { createPublisher } from '../../../test/support/create-publisher.ts';
import { eightSeconds } from '../../../test/support/live-stage.ts';
import { pushTag } from '../../../test/support/push-tag.ts';
import { openStoreStand } from '../../../test/support/store-stand.ts';
import { createTestRegistry } from '../../../test/support/test-registry.ts';
import { createEventSource } from '../lib/event-source.ts';
import type { StreamChange } from '../streams/stream-change.ts';
import { ForeseenSilences } from './foreseen-silence.ts';

test.each([
  ['', 0],
  [', by a clock of whole milliseconds that is one behind the timers', 1],
])(
  'silence is reported 3 s after the last media, not at the next tick, and its end with the first media%s',
  async (_, behindMs) => {
    using stand = await openStoreStand();
    const { streams, clock } = stand;
    const { id, streamKey = '' } = await streams.create({ name: 'Sunday show' });
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const changes = createEventSource<StreamChange>();
    const registry = createTestRegistry(stand, {
      changes,
    });
    onTestFinished(() => registry.close());
    const publisher = createPublisher({ connectedAt: clock.time });
    const sink = admitted(registry.admit(streamKey, publisher));
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
    for (let ms = 0; ms < 4_500; ms += 1) {
      if (ms === 2_990) vi.advanceTimersByTime(behindMs);
      pass(1);
    }
    pushTag(sink, { ...(eightSeconds.at(-1) as (typeof eightSeconds)[0]), timestampMs: 12_500 });
    expect(told).toEqual([
      [3_001, true],
      [4_500, false],
    ]);
  },
);

test('a stream that is deleted shortly before its silence is not reported any more', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const silent: string[] = [];
  const silences = new ForeseenSilences(1_000, (streamId) => silent.push(streamId));
  const silentAt = Date.now() + 500;
  for (const streamId of ['deleted', 'other']) silences.foresee(streamId, () => silentAt - Date.now());
  silences.forget('deleted');
  vi.advanceTimersByTime(2_000);
  expect(silent).toEqual(['other']);
  expect(vi.getTimerCount()).toBe(0);
});
