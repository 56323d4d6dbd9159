import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { appendSegment } from '../../../test/support/append-segment.ts';
import { storeOptions } from '../../../test/support/create-segment-store.ts';
import { packagedSegment } from '../../../test/support/segments.ts';
import { SegmentStore } from './segment-store.ts';
import { WaitingRoom } from './waiting-room.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A store that counts who listens to it. */
class WatchedStore extends SegmentStore {
  listeners = 0;

  constructor() {
    super(storeOptions());
  }

  override onChange(listener: () => void): () => void {
    const stop = super.onChange(listener);
    this.listeners += 1;
    return () => {
      this.listeners -= 1;
      stop();
    };
  }
}

const hasFirst = (store: SegmentStore) => () => store.segments.length > 0;
const waitMany = (room: WaitingRoom, store: SegmentStore, signal = new AbortController().signal) =>
  Array.from({ length: 500 }, () => room.wait(store, hasFirst(store), 6_000, signal));

test('hundreds that wait for two renditions have one timer, and one listener for each', async () => {
  const room = new WaitingRoom();
  const stores = [new WatchedStore(), new WatchedStore()];
  const waits = stores.flatMap((store) => waitMany(room, store));
  expect([vi.getTimerCount(), ...stores.map(({ listeners }) => listeners)]).toEqual([1, 1, 1]);
  for (const store of stores) appendSegment(store, packagedSegment());
  expect(new Set(await Promise.all(waits))).toEqual(new Set(['ready']));
  expect([vi.getTimerCount(), ...stores.map(({ listeners }) => listeners)]).toEqual([0, 0, 0]);
});

test('a request that waits for too long, or goes away, leaves nothing behind', async () => {
  const room = new WaitingRoom();
  const store = new WatchedStore();
  const left = new AbortController();
  const late = waitMany(room, store);
  const gone = waitMany(room, store, left.signal);
  left.abort();
  vi.advanceTimersByTime(6_250);
  expect(new Set(await Promise.all(late))).toEqual(new Set(['late']));
  expect(new Set(await Promise.all(gone))).toEqual(new Set(['gone']));
  expect([vi.getTimerCount(), store.listeners]).toEqual([0, 0]);
});

test('no request waits for something that is there already, after it has gone away, or in a closed room', async () => {
  const room = new WaitingRoom();
  const store = new WatchedStore();
  const here = new AbortController().signal;
  const waiting = room.wait(store, () => false, 6_000, here);
  const answers = [room.wait(store, () => true, 6_000, here), room.wait(store, () => false, 6_000, AbortSignal.abort())];
  expect(await Promise.all(answers)).toEqual(['ready', 'gone']);
  room.close();
  expect(await waiting).toBe('closed');
  expect(await room.wait(store, () => true, 6_000, here)).toBe('closed');
  expect([vi.getTimerCount(), store.listeners]).toEqual([0, 0]);
});

test('a request that waits after the others have left is answered, too', async () => {
  const room = new WaitingRoom();
  const stores = [new WatchedStore(), new WatchedStore()] as const;
  const left = new AbortController();
  const gone = room.wait(stores[0], () => false, 6_000, left.signal);
  const staying = room.wait(stores[1], () => false, 3_000, new AbortController().signal);
  left.abort();
  expect(await gone).toBe('gone');
  vi.advanceTimersByTime(3_250);
  expect(await staying).toBe('late');
  const again = room.wait(stores[0], () => false, 6_000, new AbortController().signal);
  vi.advanceTimersByTime(6_250);
  expect(await again).toBe('late');
  expect(vi.getTimerCount()).toBe(0);
});
