import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTestLog } from '../../../test/support/store-stand.ts';
import type { CheckpointAnswer, CheckpointOrder } from './checkpoint-worker.ts';
import { type CheckpointThread, createCheckpoints } from './checkpoints.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** What the thread answers: the order is done, at once or late, it is in another program's way, it has failed, or the thread itself ends. */
type Answer = 'done' | 'late' | 'partial' | 'error' | 'crash';
/** How long the thread takes for a late answer. */
const lateMs = 12 * second;

/** The checkpoints of a store in simulated time, whose thread answers each order as the test says, and pauses writes until then. */
function openCheckpoints() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const startedMs = performance.now();
  let answer: Answer = 'done';
  const orders: [second: number, order: CheckpointOrder][] = [];
  const checkpoints = createCheckpoints('/data/store.sqlite', createTestLog().log, {
    startThread: ({ pause }) => {
      const events = new EventEmitter();
      let hasEnded = false;
      const obey = (order: CheckpointOrder) => {
        if (hasEnded) return;
        Atomics.store(new Int32Array(pause), 0, 1);
        orders.push([(performance.now() - startedMs) / second, order]);
        if (answer === 'late') setTimeout(() => reply(order), lateMs);
        else queueMicrotask(() => reply(order));
      };
      const reply = (order: CheckpointOrder) => {
        const error = new Error('The disk is full.');
        if (order === 'close') events.emit('exit', 0);
        else if (answer === 'crash') {
          hasEnded = true;
          events.emit('error', error);
        } else {
          Atomics.store(new Int32Array(pause), 0, 0);
          const result = { done: order, isPartial: answer === 'partial', ...(answer === 'error' && { error }) };
          events.emit('message', result satisfies CheckpointAnswer);
        }
      };
      return Object.assign(events, { postMessage: obey, unref: () => {} }) as unknown as CheckpointThread;
    },
  });
  return {
    checkpoints,
    answerWith: (next: Answer) => {
      answer = next;
    },
    /** A broadcast of so long, with a commit each second. Returns the orders meanwhile. */
    async broadcast(ms: number) {
      orders.length = 0;
      for (let atMs = 0; atMs < ms; atMs += second) {
        checkpoints.noteCommit();
        await vi.advanceTimersByTimeAsync(second);
      }
      return [...orders];
    },
    /** When the log was to be erased from now on until so much later, in seconds since the start. */
    async during(ms: number) {
      orders.length = 0;
      await vi.advanceTimersByTimeAsync(ms);
      expect(orders.filter(([, order]) => order !== 'erase')).toEqual([]);
      return orders.map(([at]) => at);
    },
  };
}

test('a log is erased five seconds after the last commit, and only once', async () => {
  const { checkpoints, during } = openCheckpoints();
  checkpoints.noteCommit();
  expect(await during(4 * second)).toEqual([]);
  checkpoints.noteCommit();
  expect(await during(hour)).toEqual([9]);
});

test.each<Answer>(['partial', 'error', 'crash'])(
  'a log whose erasing ends as %s is tried again after twice as long each time, once an hour at most, until it works',
  async (how) => {
    const { checkpoints, during, answerWith } = openCheckpoints();
    answerWith(how);
    checkpoints.noteCommit();
    expect(await during(3 * hour)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_120, 8_720]);
    answerWith('done');
    // An hour after the last try.
    expect(await during(10 * hour)).toEqual([12_320]);
  },
);

test('a commit has it tried again after five calm seconds, and the next pause is no shorter for it', async () => {
  const { checkpoints, during, answerWith } = openCheckpoints();
  answerWith('partial');
  checkpoints.noteCommit();
  expect(await during(100 * second)).toEqual([5, 10, 20, 40, 80]);
  checkpoints.noteCommit();
  expect(await during(300 * second)).toEqual([105, 265]);
});

test('the tries after one that worked begin with five seconds again', async () => {
  const { checkpoints, during, answerWith } = openCheckpoints();
  answerWith('partial');
  checkpoints.noteCommit();
  await during(100 * second);
  answerWith('done');
  expect(await during(100 * second)).toEqual([160]);
  answerWith('partial');
  checkpoints.noteCommit();
  expect(await during(60 * second)).toEqual([205, 210, 220, 240]);
});

test('a broadcast, which is never calm, has a checkpoint after every 200 commits, and the log erased once an hour', async () => {
  const { broadcast } = openCheckpoints();
  const orders = await broadcast(3 * hour);
  expect(orders.map(([at]) => at)).toEqual(Array.from({ length: 54 }, (_, index) => 199 + index * 200));
  expect(orders.filter(([, order]) => order === 'erase').map(([at]) => at)).toEqual([199, 3_799, 7_399]);
});

test('a thread that ends while it restarts the log stops neither the writes nor later checkpoints', async () => {
  const { checkpoints, during, answerWith } = openCheckpoints();
  answerWith('late');
  checkpoints.noteCommit();
  expect([await during(10 * second), checkpoints.isPausing]).toEqual([[5], true]);
  answerWith('crash');
  expect([await during(10 * second), checkpoints.isPausing]).toEqual([[], false]);
  answerWith('done');
  expect([await during(10 * second), checkpoints.isPausing]).toEqual([[22], false]);
});

test('what is deleted while a slow disk erases the log is erased once that is over, without another commit', async () => {
  const { checkpoints, during, answerWith } = openCheckpoints();
  answerWith('late');
  checkpoints.noteCommit();
  expect(await during(6 * second)).toEqual([5]);
  checkpoints.noteCommit();
  // The first one ends at 17 s.
  expect(await during(hour)).toEqual([21]);
});

test('nothing is tried again once the store is closed, even if it is closed while the log is being erased', async () => {
  const { checkpoints, during, answerWith } = openCheckpoints();
  answerWith('partial');
  checkpoints.noteCommit();
  // The thread hasn't answered yet.
  vi.advanceTimersByTime(5 * second);
  await checkpoints.close();
  expect(await during(10 * hour)).toEqual([]);
});

test('a store that is closed before its first checkpoint is not opened again', async () => {
  const { checkpoints, during } = openCheckpoints();
  checkpoints.noteCommit();
  await checkpoints.close();
  expect(await during(hour)).toEqual([]);
});
