import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServiceError } from '../../shared/errors.ts';
import { createWaitingRequests } from './waiting-requests.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

/** Requests of a store that is locked. */
function openStand() {
  const store = { isLocked: true };
  const requests = createWaitingRequests((work) =>
    store.isLocked ? { done: false, fault: new ServiceError('UNAVAILABLE', 'locked') } : { done: true, value: work() },
  );
  return { store, requests };
}

test('a request is refused when it has waited for 0.9 s, and not before; one that comes later has its own time', async () => {
  const { requests } = openStand();
  const refused: string[] = [];
  const ask = (name: string) =>
    requests
      .add(
        () => {},
        () => {},
      )
      .catch(({ message }: Error) => refused.push(`${name}: ${message}`));
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

test('very many that waited hold up no turn of the event loop for long, and whoever comes meanwhile is behind them', async () => {
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
  // Of 5 ms each: within 50 ms.
  expect(Math.max(...inTurns)).toBeLessThanOrEqual(5);
});
