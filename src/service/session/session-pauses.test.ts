import { expect, test } from 'vitest';
import { admitted } from '../../../test/support/admitted.ts';
import { createPublisher } from '../../../test/support/create-publisher.ts';
import { readEightSeconds } from '../../../test/support/flv-fixture.ts';
import { pushTag } from '../../../test/support/push-tag.ts';
import { openStoreStand } from '../../../test/support/store-stand.ts';
import { createTestRegistry } from '../../../test/support/test-registry.ts';

test('the absences of a publisher that keeps dropping are pauses of its broadcast, and another broadcast has none', async () => {
  using stand = await openStoreStand();
  const { streams, clock } = stand;
  const registry = createTestRegistry(stand);
  const { id, streamKey } = await streams.create({ name: 'Sunday show' });
  /** Sends eight seconds in real time, and is gone this long. */
  const send = (goneMs: number, end: 'lost' | 'unpublished') => {
    const sink = admitted(registry.admit(streamKey, createPublisher({ connectedAt: clock.time })));
    const startMs = clock.time;
    for (const tag of readEightSeconds()) {
      clock.time = startMs + tag.timestampMs;
      pushTag(sink, tag);
    }
    const { pauses, steadySince = 0, air } = registry.findLive(id)?.facts() ?? {};
    sink.end(end === 'lost' ? { kind: 'lost', cause: { code: 'closed' } } : { kind: 'unpublished' });
    clock.time += goneMs;
    return [air?.kind, pauses?.count, Math.round(pauses?.seconds ?? 0), Math.round((steadySince - startMs) / 1000)];
  };
  expect(send(4_000, 'lost')).toEqual(['on-air', 0, 0, 0]);
  expect(send(5_000, 'lost')).toEqual(['on-air', 0, 0, 0]);
  expect(send(2_000, 'unpublished')).toEqual(['on-air', 2, 9, 0]);
  expect(send(0, 'lost')).toEqual(['on-air', 0, 0, 0]);
  await registry.close();
});

test('media that arrives too slowly is not steady, as stalls are no fault of the players then', async () => {
  using stand = await openStoreStand();
  const { streams, clock } = stand;
  const registry = createTestRegistry(stand);
  const { id, streamKey } = await streams.create({ name: 'Sunday show' });
  const sink = admitted(registry.admit(streamKey, createPublisher({ connectedAt: clock.time })));
  const startMs = clock.time;
  for (const tag of readEightSeconds()) {
    clock.time = startMs + 2 * tag.timestampMs;
    pushTag(sink, tag);
  }
  expect(registry.findLive(id)?.facts()).toMatchObject({ pace: expect.closeTo(0.5, 1), steadySince: undefined });
  await registry.close();
});
