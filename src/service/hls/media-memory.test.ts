import { expect, test } from 'vitest';
import { MediaMemory } from './media-memory.ts';

/** Keeps as much as the test asks for, and on a shortage no more than allowed. */
function createHolder(memory: MediaMemory) {
  const holder = {
    bytes: 0,
    shortages: 0,
    share: memory.openShare(() => {
      holder.shortages += 1;
      holder.keep(Math.min(holder.bytes, holder.share.maxBytes));
    }),
    keep(bytes: number) {
      holder.bytes = bytes;
      holder.share.note(bytes, bytes);
    },
  };
  return holder;
}

test('a single rendition may use all of it', () => {
  expect(createHolder(new MediaMemory(100)).share.maxBytes).toBe(100);
});

test('each may use what the others leave, and at least its fair share', () => {
  const memory = new MediaMemory(100);
  const [small, large] = [createHolder(memory), createHolder(memory)];
  small.keep(10);
  expect([small.share.maxBytes, large.share.maxBytes]).toEqual([100, 90]);
  large.keep(90);
  expect([small.share.maxBytes, large.share.maxBytes]).toEqual([50, 90]);
});

test('renditions above their fair share make room for the others', () => {
  const memory = new MediaMemory(100);
  const [large, small, late] = [createHolder(memory), createHolder(memory), createHolder(memory)];
  small.keep(20);
  large.keep(80);
  late.keep(30);
  expect([large.bytes, small.bytes, late.bytes]).toEqual([50, 20, 30]);
  expect([large.shortages, small.shortages, late.shortages]).toEqual([1, 0, 0]);
});

test('nobody is asked to make room as long as all fit', () => {
  const memory = new MediaMemory(100);
  const [large, small] = [createHolder(memory), createHolder(memory)];
  large.keep(80);
  small.keep(20);
  expect([large.bytes, large.shortages]).toEqual([80, 0]);
});

test('renditions make room each time that another needs it, and not below their fair share', () => {
  const memory = new MediaMemory(100);
  const [large, other] = [createHolder(memory), createHolder(memory)];
  large.keep(95);
  const left = [10, 20, 40, 60, 70].map((bytes) => {
    other.keep(bytes);
    return large.bytes;
  });
  expect(left).toEqual([90, 80, 60, 50, 50]);
  expect([large.shortages, other.shortages]).toEqual([4, 0]);
  // The room that was given up is free again.
  other.keep(5);
  expect(large.share.maxBytes).toBe(95);
});

test('a rendition that cannot make room is asked once, and the limit is exceeded', () => {
  const memory = new MediaMemory(100);
  let asked = 0;
  const stubborn = memory.openShare(() => {
    asked += 1;
    stubborn.note(90, 90);
  });
  stubborn.note(90, 90);
  const other = createHolder(memory);
  other.keep(60);
  expect(asked).toBe(1);
  expect(other.share.maxBytes).toBe(50);
});

test('a closed share leaves its room to the others', () => {
  const memory = new MediaMemory(100);
  const [gone, other] = [createHolder(memory), createHolder(memory)];
  gone.keep(60);
  gone.share.close();
  expect(other.share.maxBytes).toBe(100);
});

test('renditions whose media cannot leave memory are not asked to make room', () => {
  const memory = new MediaMemory(100);
  let asked = 0;
  memory
    .openShare(() => {
      asked += 1;
    })
    .note(90, 0);
  createHolder(memory).keep(60);
  expect(asked).toBe(0);
});

test('all together may have as much waiting for the disk as may be kept', () => {
  const memory = new MediaMemory(100);
  const [one, other] = [memory.openShare(() => {}), memory.openShare(() => {})];
  one.addWaiting(70);
  expect([one.maxWaitingBytes, other.maxWaitingBytes]).toEqual([100, 30]);
  other.addWaiting(50);
  expect([one.maxWaitingBytes, other.maxWaitingBytes]).toEqual([50, 30]);
  one.addWaiting(-70);
  other.close();
  expect(one.maxWaitingBytes).toBe(100);
});
