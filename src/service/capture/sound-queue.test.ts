import { expect, test } from 'vitest';
import { SoundQueue } from './sound-queue.ts';

/** Bytes of samples with these numbers on the left, and their negatives on the right. */
const bytesOf = (...samples: number[]) => Buffer.from(Int16Array.from(samples.flatMap((sample) => [sample, -sample])).buffer);

function takeAll(queue: SoundQueue, length: number) {
  const target = new Int16Array(length * 2);
  const taken = queue.take(target);
  return [...target.subarray(0, taken * 2)].filter((_, index) => index % 2 === 0);
}

test('samples come out in order, whatever pieces they came in', () => {
  const queue = new SoundQueue();
  const bytes = bytesOf(1, 2, 3, 4, 5);
  // Pieces end inside samples, and begin at odd addresses.
  let start = 0;
  for (const end of [3, 9, 10, 20]) {
    queue.push(bytes.subarray(start, end));
    start = end;
  }
  expect(queue.length).toBe(5);
  expect([takeAll(queue, 2), takeAll(queue, 10), takeAll(queue, 1)]).toEqual([[1, 2], [3, 4, 5], []]);
});

test('a queue that is too long loses its oldest samples', () => {
  const queue = new SoundQueue();
  queue.push(bytesOf(1, 2, 3, 4));
  queue.shorten(2);
  expect([queue.length, takeAll(queue, 4)]).toEqual([2, [3, 4]]);
});
