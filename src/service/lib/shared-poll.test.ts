import { expect, test, vi } from 'vitest';
import { SharedPoll } from './shared-poll.ts';

function openPoll() {
  // No other timers are faked: work that an earlier test left behind may use them.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let reads = 0;
  const poll = new SharedPoll({
    read: async () => {
      reads += 1;
    },
    pauseMs: () => 2_000,
  });
  return { poll, reads: () => reads, [Symbol.dispose]: () => void vi.useRealTimers() };
}

test('reads at once, then after each pause, however many need it, until nobody does', async () => {
  using stand = openPoll();
  const { poll, reads } = stand;
  const releases = [poll.need(), poll.need()];
  await vi.advanceTimersByTimeAsync(4_100);
  expect([reads(), poll.isNeeded]).toEqual([3, true]);
  releases[0]?.();
  releases[0]?.();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reads()).toBe(4);
  releases[1]?.();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([reads(), poll.isNeeded, vi.getTimerCount()]).toEqual([4, false, 0]);
});

test('reads soon after it is woken, also if it was reading then', async () => {
  using stand = openPoll();
  const { poll, reads } = stand;
  const release = poll.need();
  poll.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(reads()).toBe(2);
  await vi.advanceTimersByTimeAsync(500);
  poll.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(reads()).toBe(3);
  release();
});

test('tells when the next read is done', async () => {
  using stand = openPoll();
  const { poll, reads } = stand;
  const release = poll.need();
  await poll.nextRead();
  expect(reads()).toBe(1);
  release();
});

test('a read that nobody needs any more, and that ends after another was begun, learns that it is overtaken and ends no wait', async () => {
  const reads: (() => void)[] = [];
  const told: string[] = [];
  const poll = new SharedPoll({
    read: async (isOvertaken) => {
      const number = reads.length + 1;
      await new Promise<void>((resolve) => reads.push(resolve));
      told.push(`${number} ${isOvertaken() ? 'is overtaken' : 'counts'}`);
    },
    pauseMs: () => 2_000,
  });
  poll.need()();
  const release = poll.need();
  const waiting = poll.nextRead().then(() => told.push('next read'));
  reads[0]?.();
  await new Promise(setImmediate);
  reads[1]?.();
  await waiting;
  expect(told).toEqual(['1 is overtaken', '2 counts', 'next read']);
  release();
});
