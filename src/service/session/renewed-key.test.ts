import { expect, test } from 'vitest';
import { admitted } from '../../../test/support/admitted.ts';
import { createPublisher } from '../../../test/support/create-publisher.ts';
import { breakKeyLookup } from '../../../test/support/disk-fault.ts';
import { readEightSeconds } from '../../../test/support/flv-fixture.ts';
import { pushTag } from '../../../test/support/push-tag.ts';
import { openStoreStand } from '../../../test/support/store-stand.ts';
import { createTestRegistry } from '../../../test/support/test-registry.ts';
import type { LossCause } from '../../shared/model/refusal.ts';
import { ownSoftware } from '../lib/own-software.ts';

test('a publisher whose key was renewed is disconnected and refused, and the session continues with the new key', async () => {
  using stand = await openStoreStand();
  const { streams, clock } = stand;
  const registry = createTestRegistry(stand);
  const { id, streamKey } = await streams.create({ name: 'Sunday show' });
  const closedWith: LossCause[] = [];
  const publish = (key: string) => {
    const close = (cause: LossCause) => void closedWith.push(cause);
    const answer = registry.admit(key, createPublisher({ connectedAt: clock.time, close }));
    if (answer.kind === 'refused') return answer;
    expect(answer.streamId).toBe(id);
    for (const tag of readEightSeconds()) pushTag(answer.sink, tag);
    return registry.findLive(id)?.air;
  };
  expect(publish(streamKey)).toMatchObject({ kind: 'on-air' });
  const sessionId = registry.findLive(id)?.sessionId;
  await streams.renewKey(id);
  registry.sendPublisherAway(id, { code: 'key-renewed' });
  expect(closedWith).toEqual([{ code: 'key-renewed' }]);
  expect(registry.findLive(id)?.air).toMatchObject({ kind: 'reconnecting', sessionId });
  expect(publish(streamKey)).toEqual({ kind: 'refused', streamId: id, reason: { code: 'old-key' } });
  expect(publish(streams.revealKey(id))).toMatchObject({ kind: 'on-air', sessionId });
  await registry.close();
});

test('a publisher that is lost while its key is renewed does not have the new key', async () => {
  using stand = await openStoreStand();
  const { streams, clock } = stand;
  const registry = createTestRegistry(stand);
  const { id, streamKey } = await streams.create({ name: 'Sunday show' });
  const publish = (key: string) => {
    const sink = admitted(registry.admit(key, createPublisher({ connectedAt: clock.time })));
    for (const tag of readEightSeconds()) pushTag(sink, tag);
    return sink;
  };
  publish(streamKey).end({ kind: 'lost', cause: { code: 'closed' } });
  expect(registry.findLive(id)?.air).not.toHaveProperty('isKeyRenewed');
  await streams.renewKey(id);
  registry.sendPublisherAway(id, { code: 'key-renewed' });
  expect(registry.findLive(id)?.air).toMatchObject({ kind: 'reconnecting', isKeyRenewed: true });
  publish(streams.revealKey(id));
  expect(registry.findLive(id)?.air).toMatchObject({ kind: 'on-air' });
  await registry.close();
});

test.each([
  ['our own publisher stays', ownSoftware, '127.0.0.1', []],
  ["another computer's Tallylight goes", ownSoftware, '192.0.2.7', [{ code: 'key-renewed' }]],
  ['any other goes', 'FMLE/3.0', '127.0.0.1', [{ code: 'key-renewed' }]],
] as const)(
  'when the key is renewed while one click is on air, %s, and the old key is not let in',
  async (_what, software, remoteAddress, expected) => {
    using stand = await openStoreStand();
    const { streams, clock } = stand;
    const registry = createTestRegistry(stand);
    const { id, streamKey } = await streams.create({ name: 'Sunday show' });
    const closedWith: LossCause[] = [];
    const publisher = () => ({
      ...createPublisher({ connectedAt: clock.time, close: (cause) => void closedWith.push(cause) }),
      software,
      remoteAddress,
    });
    const sink = admitted(registry.admit(streamKey, publisher()));
    for (const tag of readEightSeconds()) pushTag(sink, tag);
    await streams.renewKey(id);
    registry.sendPublisherAway(id, { code: 'key-renewed' }, { keepsOwn: true });
    expect(closedWith).toEqual(expected);
    // A publisher that was admitted before is admitted again while the store can't be read, but not with an old key.
    breakKeyLookup(streams);
    expect(registry.admit(streamKey, publisher())).toMatchObject({ kind: 'refused', reason: { code: 'store-unreadable' } });
    await registry.close();
  },
);
