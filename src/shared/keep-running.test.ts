import { expect, test } from 'vitest';
import { keepRunning } from './keep-running.ts';

test('it runs again after each end, until there is no next run', async () => {
  const ends = ['lost', 'lost', 'refused'];
  const heard: string[] = [];
  await keepRunning(async () => ends.shift(), {
    signal: new AbortController().signal,
    nextAfterMs(end) {
      heard.push(`${end}`);
      return end === 'lost' ? 0 : undefined;
    },
  });
  expect(heard).toEqual(['lost', 'lost', 'refused']);
});

test('without a pause the next run starts at once', async () => {
  const heard: string[] = [];
  await keepRunning(async () => heard.push('run'), {
    signal: new AbortController().signal,
    nextAfterMs(runs) {
      heard.push('end');
      queueMicrotask(() => heard.push('later'));
      return runs === 1 ? 0 : undefined;
    },
  });
  expect(heard.slice(0, 4)).toEqual(['run', 'end', 'run', 'later']);
});

test('an abort ends a run that obeys it, and is no end that is asked about', async () => {
  const abort = new AbortController();
  const asked: unknown[] = [];
  const running = keepRunning(
    (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted'))),
    {
      signal: abort.signal,
      nextAfterMs: (end) => void asked.push(end),
    },
  );
  abort.abort();
  await running;
  expect(asked).toEqual([]);
});

test('an abort ends a pause', async () => {
  const abort = new AbortController();
  await keepRunning(async () => {}, {
    signal: abort.signal,
    nextAfterMs() {
      queueMicrotask(() => abort.abort());
      return 60_000;
    },
  });
});

test('a pause is cut short when it is woken, even before it has begun, and only that pause', async () => {
  const wakes = new Set<() => void>();
  let runs = 0;
  const abort = new AbortController();
  await keepRunning(
    async () => {
      runs += 1;
      if (runs === 3) abort.abort();
    },
    {
      signal: abort.signal,
      onWake(wake) {
        wakes.add(wake);
        return () => wakes.delete(wake);
      },
      nextAfterMs() {
        expect(wakes.size).toBe(1);
        for (const wake of wakes) wake();
        return 60_000;
      },
    },
  );
  expect([runs, wakes.size]).toEqual([3, 0]);
});

test('what a run throws ends it all', async () => {
  const running = keepRunning(
    async () => {
      throw new Error('A bug.');
    },
    { signal: new AbortController().signal, nextAfterMs: () => 0 },
  );
  await expect(running).rejects.toThrow('A bug.');
});
