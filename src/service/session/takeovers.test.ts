import { expect, test } from 'vitest';
import { admitted } from '../../../test/support/admitted.ts';
import { createPublisher } from '../../../test/support/create-publisher.ts';
import { readEightSeconds } from '../../../test/support/flv-fixture.ts';
import { pushTag } from '../../../test/support/push-tag.ts';
import { openStoreStand } from '../../../test/support/store-stand.ts';
import { createTestRegistry } from '../../../test/support/test-registry.ts';

/**
 * One stream, and publishers that come `pauseMs` after one another, each with eight seconds of media at once; `later` is half a minute
 * after that, or once the stream is deleted.
 */
async function takeTurns(
  encoders: number,
  pauseMs: number,
  { isDeleted = false } = {},
): Promise<{ during: boolean; later: boolean }> {
  using stand = await openStoreStand();
  const { streams, clock } = stand;
  const registry = createTestRegistry(stand, {
    tickMs: 10,
  });
  const { id, streamKey } = await streams.create({ name: 'Sunday show' });
  for (let encoder = 0; encoder < encoders; encoder += 1) {
    const publisher = createPublisher({ remoteAddress: '192.0.2.1', connectedAt: clock.time });
    const sink = admitted(registry.admit(streamKey, publisher));
    for (const tag of readEightSeconds()) pushTag(sink, tag);
    clock.time += pauseMs;
  }
  const during = registry.areTakingTurns(id);
  if (isDeleted) registry.endSession(id, { reason: 'deleted' });
  else clock.time += 30_000;
  const later = registry.areTakingTurns(id);
  await registry.close();
  return { during, later };
}

test('two publishers that reconnect by themselves keep replacing each other, until one is stopped', async () => {
  expect(await takeTurns(4, 2_000)).toEqual({ during: true, later: false });
});

test('one takeover is not enough, nor is a publisher that comes back while its silent connection hangs', async () => {
  expect((await takeTurns(3, 2_000)).during).toBe(false);
  expect((await takeTurns(6, 4_000)).during).toBe(false);
});

test('a deleted stream leaves no takeovers behind', async () => {
  expect(await takeTurns(4, 2_000, { isDeleted: true })).toEqual({ during: true, later: false });
});
