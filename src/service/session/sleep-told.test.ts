import { expect, onTestFinished, test } from 'vitest';
import { admitted } from '../../../test/support/admitted.ts';
import { createPublisher } from '../../../test/support/create-publisher.ts';
import { readEightSeconds } from '../../../test/support/flv-fixture.ts';
import { pushTag } from '../../../test/support/push-tag.ts';
import { openStoreStand } from '../../../test/support/store-stand.ts';
import { createTestRegistry } from '../../../test/support/test-registry.ts';
import { createEventSource } from '../lib/event-source.ts';
import { SleepWatch } from '../lib/sleep-watch.ts';
import type { StreamChange } from '../streams/stream-change.ts';

test('a broadcast that the computer slept through says when, here or to another region; a stream off air does not', async () => {
  using stand = await openStoreStand();
  const { streams, clock } = stand;
  let asleepMs = 0;
  const sleepWatch = new SleepWatch(clock, () => clock.monotonicMs() + asleepMs);
  const told = Promise.withResolvers<void>();
  const onAir = await streams.create({ name: 'On air' });
  const elsewhere = await streams.create({ name: 'In another region' });
  const changes = createEventSource<StreamChange>();
  const registry = createTestRegistry(stand, {
    changes,
    sleepWatch,
    isElsewhere: (streamId) => streamId === elsewhere.id,
    tickMs: 10,
    onTick: (live) => {
      if (live.streamId === onAir.id && asleepMs > 0) told.resolve();
    },
  });
  const admit = (streamKey: string) => {
    return admitted(registry.admit(streamKey, createPublisher({ remoteAddress: '192.0.2.1', connectedAt: clock.time })));
  };
  const ended = await streams.create({ name: 'Off air' });
  for (const stream of [onAir, ended]) {
    const sink = admit(stream.streamKey);
    for (const tag of readEightSeconds()) pushTag(sink, tag);
  }
  registry.endSession(ended.id, { reason: 'terminated' });
  registry.open(streams.getKeyless(elsewhere.id));
  asleepMs = 1_800_000;
  await told.promise;

  const to = clock.now();
  for (const { id } of [onAir, elsewhere]) {
    expect(registry.findLive(id)?.log.lines[0]).toMatchObject({
      severity: 'warn',
      event: { code: 'slept', sleep: { kind: 'slept', from: to - asleepMs, to } },
    });
  }
  expect(registry.findLive(ended.id)?.log.lines.filter(({ event }) => event.code === 'slept')).toEqual([]);
  await registry.close();
});

test('a sleep in which every clock runs on counts as a sleep, not as pauses of the media', async () => {
  using stand = await openStoreStand();
  const { streams, clock } = stand;
  let onTick = () => {};
  const registry = createTestRegistry(stand, {
    sleepWatch: new SleepWatch(clock, () => clock.monotonicMs()),
    tickMs: 10,
    onTick: () => onTick(),
  });
  const { id, streamKey } = await streams.create({ name: 'On air' });
  const sink = admitted(registry.admit(streamKey, createPublisher({ connectedAt: clock.time })));
  const startMs = clock.time;
  let sleptMs = 0;
  for (const tag of readEightSeconds()) {
    // After the sleep, what the sockets still held is read; then it takes a moment until the encoder is back.
    if (tag.timestampMs > 4_000 && sleptMs === 0) {
      sleptMs = 1_800_000;
      clock.time += sleptMs;
      const ticked = new Promise<void>((resolve) => (onTick = resolve));
      pushTag(sink, tag);
      await ticked;
      sleptMs += 1_500;
    }
    clock.time = startMs + sleptMs + tag.timestampMs;
    pushTag(sink, tag);
  }
  expect(registry.findLive(id)?.facts()).toMatchObject({ pauses: { count: 1, seconds: expect.closeTo(1.5, 1) } });
  await registry.close();
});

/** A stopped stream, whose encoder may still try, on a computer that can sleep. */
async function openStopped() {
  const stand = await openStoreStand();
  const { streams, clock } = stand;
  let asleepMs = 0;
  let onTick = () => {};
  const registry = createTestRegistry(stand, {
    sleepWatch: new SleepWatch(clock, () => clock.monotonicMs() + asleepMs),
    tickMs: 10,
    onTick: () => onTick(),
  });
  onTestFinished(async () => {
    await registry.close();
    stand.close();
  });
  const { id, streamKey } = await streams.create({ name: 'Stopped' });
  const attempt = () => registry.admit(streamKey, createPublisher({ connectedAt: clock.time }));
  admitted(attempt());
  registry.endSession(id, { reason: 'stopped' });
  return {
    clock,
    attempt,
    sleep(ms: number) {
      asleepMs += ms;
    },
    tick: () => new Promise<void>((resolve) => (onTick = resolve)),
  };
}

const refused = { kind: 'refused', reason: { code: 'stopped' } };

test.each(['before', 'after'])(
  'Stop outlasts a sleep in which every clock runs on: an encoder tries %s the next tick',
  async (when) => {
    const { clock, attempt, tick } = await openStopped();
    clock.time += 3_600_000;
    if (when === 'after') await tick();
    expect(attempt()).toMatchObject(refused);
  },
);

test('Stop outlasts a sleep in which the monotonic clock stops: an encoder elsewhere may pause for half as long', async () => {
  const { clock, attempt, sleep, tick } = await openStopped();
  /** In steps too short to count as a sleep. */
  const pass = async (steps: number) => {
    for (let step = 0; step < steps; step += 1) {
      clock.time += 8_000;
      await tick();
    }
  };
  await pass(7);
  clock.setMs += 3_600_000;
  sleep(3_600_000);
  await tick();
  await pass(100);
  expect(attempt()).toMatchObject(refused);
});
