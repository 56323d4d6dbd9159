import { expect, test } from 'vitest';
import { MediaBlocks } from './media-blocks.ts';

const step = 512;

test('a block that is given back is used again for media of about the same size', () => {
  const blocks = new MediaBlocks();
  const first = blocks.take(10 * step - 1);
  blocks.giveBack([first]);
  expect(blocks.freeBytes).toBe(10 * step);
  const second = blocks.take(9 * step + 1);
  expect([second.length, second.buffer === first.buffer, blocks.freeBytes]).toEqual([9 * step + 1, true, 0]);
});

test('a block is used again neither for larger media nor for much smaller media', () => {
  const blocks = new MediaBlocks();
  const given = blocks.take(100 * step);
  blocks.giveBack([given]);
  const others = [blocks.take(100 * step + 1), blocks.take(80 * step)];
  expect(others.map(({ buffer }) => buffer === given.buffer)).toEqual([false, false]);
});

test('of several blocks the smallest that fits is used', () => {
  const blocks = new MediaBlocks();
  const [large, small] = [blocks.take(43 * step), blocks.take(41 * step)];
  blocks.giveBack([large, small]);
  expect(blocks.take(40 * step).buffer).toBe(small.buffer);
});

test('a block that is read stays as it is until the last reader lets go, even if only a view of it is read', () => {
  const blocks = new MediaBlocks();
  const media = blocks.take(step).fill('a');
  const [one, other] = [blocks.hold([media.subarray(10, 20)]), blocks.hold([media])];
  blocks.giveBack([media]);
  one();
  one();
  expect([blocks.freeBytes, blocks.take(step).buffer === media.buffer]).toEqual([0, false]);
  other();
  expect([blocks.freeBytes, blocks.take(step).buffer === media.buffer]).toEqual([step, true]);
});

test('a reader that comes late to let go frees nothing that others use by then', () => {
  const blocks = new MediaBlocks();
  const media = blocks.take(step);
  const letGo = blocks.hold([media]);
  letGo();
  blocks.giveBack([media, media]);
  const next = blocks.take(step);
  letGo();
  expect([next.buffer === media.buffer, blocks.freeBytes]).toEqual([true, 0]);
});

test('only a limited number of bytes wait to be reused: the blocks that wait longest are left to the garbage collection', () => {
  const blocks = new MediaBlocks({ maxFreeBytes: 5 * step });
  const taken = [2, 1, 3].map((steps) => blocks.take(steps * step));
  blocks.giveBack(taken);
  expect(blocks.freeBytes).toBe(4 * step);
  expect(blocks.take(2 * step).buffer).not.toBe(taken[0]?.buffer);
});

test('buffers from elsewhere are left alone', () => {
  const blocks = new MediaBlocks();
  const foreign = Buffer.alloc(step);
  blocks.hold([foreign])();
  blocks.giveBack([foreign]);
  expect(blocks.freeBytes).toBe(0);
});
