import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TurnShare, type Worker } from './turn-share.ts';

/** A worker with this much to do, and its work in each turn of the loop. */
function createWorker(total: number): Worker & { left: number; slices: number[] } {
  return {
    left: total,
    slices: [],
    work(budget) {
      const spent = Math.min(budget, this.left);
      this.left -= spent;
      this.slices.push(spent);
      return { spent, done: this.left === 0 };
    },
  };
}

/** Turns of the event loop that are scheduled in this process. */
const countTurns = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Immediate').length;

test('a small amount of work is done at once', () => {
  const share = new TurnShare({ perTurn: 100, perSlice: 10 });
  const worker = createWorker(10);
  share.begin(worker);
  expect(worker.left).toBe(0);
});

test('small work schedules no turn of its own until half of the budget is spent', () => {
  const before = countTurns();
  const share = new TurnShare({ perTurn: 100, perSlice: 10 });
  for (let count = 0; count < 5; count += 1) share.begin(createWorker(10));
  expect(countTurns()).toBe(before);
  share.begin(createWorker(1));
  expect(countTurns()).toBe(before + 1);
});

test('no turn exceeds its limit, however many workers ask for however much', async () => {
  const share = new TurnShare({ perTurn: 100, perSlice: 10 });
  const greedy = Array.from({ length: 50 }, () => createWorker(1_000));
  const done = () => 50_000 - greedy.reduce((sum, { left }) => sum + left, 0);
  for (const worker of greedy) share.begin(worker);
  const turns: number[] = [];
  for (let before = done(); before < 50_000; before = done()) {
    await nextTurn();
    turns.push(done() - before);
  }
  expect(Math.max(...turns)).toBe(100);
  expect(turns.length).toBeLessThanOrEqual(502);
});

test('a small worker waits for one round of the large ones', async () => {
  const share = new TurnShare({ perTurn: 100, perSlice: 10 });
  const greedy = Array.from({ length: 50 }, () => createWorker(100_000));
  for (const worker of greedy) share.begin(worker);
  for (let message = 0; message < 20; message += 1) {
    const modest = createWorker(8);
    share.begin(modest);
    let turns = 0;
    for (; modest.left > 0; turns += 1) await nextTurn();
    expect(turns).toBeLessThanOrEqual(7);
  }
  for (const worker of greedy) share.leave(worker);
});

test('a worker that left is not called again, and without work no turn is scheduled', async () => {
  // Left over from earlier tests in this process.
  const before = countTurns();
  const share = new TurnShare({ perTurn: 100, perSlice: 10 });
  const worker = createWorker(1_000);
  share.begin(worker);
  share.leave(worker);
  await nextTurn();
  await nextTurn();
  await nextTurn();
  expect(worker.slices).toEqual([10]);
  expect(countTurns()).toBeLessThanOrEqual(before);
});
