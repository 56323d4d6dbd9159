import { expect, test } from 'vitest';
import { untilAborted } from './until-aborted.ts';

test('gives the result, or rejects as soon as it is aborted, however long the work takes', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve('done'), signal)).toBe('done');
  await expect(untilAborted(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');

  const abort = new AbortController();
  const endless = untilAborted(new Promise(() => {}), abort.signal);
  abort.abort(new Error('given up'));
  await expect(endless).rejects.toThrow('given up');
  await expect(untilAborted(Promise.resolve('too late'), abort.signal)).rejects.toThrow('given up');
});

test('a failure after the abort causes no unhandled rejection', async () => {
  const abort = new AbortController();
  const work = Promise.withResolvers<never>();
  const given = untilAborted(work.promise, abort.signal);
  abort.abort(new Error('given up'));
  await expect(given).rejects.toThrow('given up');
  work.reject(new Error('the drive has come back without the file'));
  await new Promise(setImmediate);
});
