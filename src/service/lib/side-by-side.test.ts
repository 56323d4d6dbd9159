import { expect, test } from 'vitest';
import { SideBySide } from './side-by-side.ts';

/** Two tasks run side by side. `started` are the names of those that have been started, and `end` ends one. */
function createStand() {
  const sideBySide = new SideBySide(2);
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const run = (name: string, signal?: AbortSignal) =>
    sideBySide.run(() => {
      const end = Promise.withResolvers<string>();
      started.push(name);
      ends.set(name, end);
      return end.promise;
    }, signal);
  const end = (name: string) => ends.get(name)?.resolve(`${name} is done`);
  const fail = (name: string) => ends.get(name)?.reject(new Error(`${name} failed`));
  return { run, started, end, fail };
}

test('two tasks start at once, the others in order as one ends or fails', async () => {
  const { run, started, end, fail } = createStand();
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => run(name));
  expect(started).toEqual(['a', 'b']);
  fail('b');
  await expect(b).rejects.toThrow('b failed');
  expect(started).toEqual(['a', 'b', 'c']);
  end('a');
  expect(await a).toBe('a is done');
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  end('c');
  end('d');
  expect(await Promise.all([c, d])).toEqual(['c is done', 'd is done']);
  void run('e');
  void run('f');
  void run('g');
  expect(started.slice(4)).toEqual(['e', 'f']);
});

test('a task whose signal aborts before its turn is not run; one that runs is not affected', async () => {
  const { run, started, end } = createStand();
  const abort = new AbortController();
  const [a, , c, d] = ['a', 'b', 'c', 'd'].map((name) => run(name, name === 'd' ? undefined : abort.signal));
  abort.abort(new Error('not needed'));
  await expect(c).rejects.toThrow('not needed');
  await expect(run('e', abort.signal)).rejects.toThrow('not needed');
  end('a');
  expect(await a).toBe('a is done');
  end('b');
  expect(started).toEqual(['a', 'b', 'd']);
  end('d');
  expect(await d).toBe('d is done');
});
