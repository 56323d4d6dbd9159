import { expect, test } from 'vitest';
import { openStoreStand } from '../../../test/support/store-stand.ts';
import type { StreamsEvent } from '../../shared/model/views.ts';
import { createEventSource } from '../lib/event-source.ts';
import type { StreamChange } from '../streams/stream-change.ts';
import type { Streams } from '../streams/streams.ts';
import { StreamViews } from './stream-views.ts';
import { watchAllStreams } from './watch-all-streams.ts';

const manyStreams = 2_000;

/** A store with many streams, a watcher of all of them, and a count of the streams read for it. */
async function openMany() {
  const stand = await openStoreStand();
  stand.db.exec(`WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${manyStreams})
    INSERT INTO stream (id, name, created_at, playback_id, key_hash, sealed_key)
    SELECT 'stream-' || n, 'Stream ' || n, n, 'playback-' || n, randomblob(32), x'00' FROM numbers`);
  const changes = createEventSource<StreamChange>();
  stand.onChange((change) => changes.emit(change));
  const reads = { count: 0 };
  const streams: Streams = {
    ...stand.streams,
    listKeyless() {
      const all = stand.streams.listKeyless();
      reads.count += all.length;
      return all;
    },
    findKeyless(id) {
      reads.count += 1;
      return stand.streams.findKeyless(id);
    },
  };
  const views = new StreamViews({
    routes: { view: () => undefined, air: () => undefined, moving: () => undefined, lost: () => undefined },
    streams,
    registry: { findLive: () => undefined },
    oneClicks: { state: () => ({ kind: 'idle' }) },
    playReports: { of: () => undefined },
    silences: { holds: () => false },
    sleepWatch: { findRecent: () => undefined },
    clock: stand.clock,
  } as unknown as ConstructorParameters<typeof StreamViews>[0]);
  const cancelling = new AbortController();
  const services = { remoteOnAir: () => [], findRemoteOnAir: () => undefined };
  const events = watchAllStreams({ changes, views, services }, cancelling.signal);
  const next = async (): Promise<StreamsEvent> => (await events.next()).value as StreamsEvent;
  const close = () => {
    cancelling.abort();
    stand.close();
  };
  return { stand, reads, next, [Symbol.dispose]: close };
}

test('with 2,000 streams a watcher gets all of them once, then only changed ones, and no others are read', async () => {
  using many = await openMany();
  const { stand, reads, next } = many;
  const first = await next();
  expect(first.kind === 'all' && first.streams.length).toBe(manyStreams);
  expect(reads.count).toBe(manyStreams);
  reads.count = 0;

  await stand.streams.update('stream-7', { name: 'Sunday show' });
  expect(await next()).toMatchObject({ kind: 'changes', streams: [{ id: 'stream-7', name: 'Sunday show' }], deleted: [] });
  expect(reads.count).toBe(1);

  // Simultaneous changes arrive as one event, each stream once, new streams first.
  const { id: sessionId } = stand.ledger.beginSession('stream-8', stand.clock.time);
  for (let count = 1; count <= 50; count += 1) stand.ledger.addProgress(sessionId, { lastSeen: 1, sourceSegments: 1 });
  const older = await stand.streams.create({ name: 'older' });
  const newer = await stand.streams.create({ name: 'newer' });
  await stand.streams.delete('stream-9');
  reads.count = 0;
  expect(await next()).toMatchObject({
    kind: 'changes',
    streams: [{ id: newer.id }, { id: older.id }, { id: 'stream-8', sourceSegments: 50, isActive: true }],
    deleted: ['stream-9'],
  });
  expect(reads.count).toBe(4);
});
