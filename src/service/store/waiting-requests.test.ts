import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoreError } from './store-fault.ts';
import { createWaitingRequests } from './waiting-requests.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

/** Requests to a locked store. */
function openStand() {
  const store = { isLocked: true };
  const requests = createWaitingRequests((work) =>
    store.isLocked ? { done: false, fault: new StoreError({ code: 'locked' }) } : { done: true, value: work() },
  );
  return { store, requests };
}

test('a request is refused after 0.9 s, not before, and a later one has its own time', async () => {
  const { requests } = openStand();
  const refused: string[] = [];
  const ask = (name: string) =>
    requests
      .add(
        () => {},
        () => {},
      )
      .catch(({ fault }: StoreError) => refused.push(`${name}: ${fault.code}`));
  const early = ask('early');
  vi.advanceTimersByTime(500);
  const late = ask('late');
  vi.advanceTimersByTime(399);
  requests.run();
  expect(requests.count).toBe(2);
  vi.advanceTimersByTime(1);
  requests.run();
  await early;
  expect(refused).toEqual(['early: locked']);
  vi.advanceTimersByTime(499);
  requests.run();
  expect(requests.count).toBe(1);
  vi.advanceTimersByTime(1);
  requests.run();
  await late;
  expect(refused).toEqual(['early: locked', 'late: locked']);
});

test('very many waiting requests keep turns of the event loop short, and new ones queue behind them', async () => {
  const { store, requests } = openStand();
  const order: number[] = [];
  const ask = (number: number) =>
    requests.add(
      () => {
        vi.advanceTimersByTime(5);
        order.push(number);
      },
      () => {},
    );
  const answers = Array.from({ length: 100 }, (_, index) => ask(index));
  store.isLocked = false;
  requests.run();
  answers.push(ask(100));
  const inTurns = [order.length];
  while (requests.count > 0) {
    const before = order.length;
    await nextTurn();
    inTurns.push(order.length - before);
  }
  await Promise.all(answers);
  expect(order).toEqual(Array.from({ length: 101 }, (_, index) => index));
  // 5 ms each, so within 50 ms.
  expect(Math.max(...inTurns)).toBeLessThanOrEqual(5);
  // A later one is tried again as usual.
  store.isLocked = true;
  const later = ask(101);
  store.isLocked = false;
  requests.run();
  expect([order.at(-1), requests.count]).toEqual([101, 0]);
  await later;
});
