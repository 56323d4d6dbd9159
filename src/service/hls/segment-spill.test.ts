import { expect, test } from 'vitest';
import { mediaBlocks } from '../media/media-blocks.ts';
import { MediaMemory } from './media-memory.ts';
import type { SegmentFolder } from './segment-archive.ts';
import { SegmentSpill, type SpillableSegment } from './segment-spill.ts';

/** Of a size that nothing else here has. */
const sizeBytes = 100 * 4096;

/** A segment in memory, and whether its memory is used for the next one of its size. */
function createSegment(msn: number) {
  const bytes = mediaBlocks.take(sizeBytes).fill('a');
  const segment: SpillableSegment = { msn, sizeBytes, parts: [{ bytes, durationSeconds: 1, independent: true }] };
  const isUsedAgain = () => {
    const next = mediaBlocks.take(sizeBytes);
    const isSame = next.buffer === bytes.buffer;
    if (isSame) mediaBlocks.giveBack([next]);
    return isSame;
  };
  return { segment, isUsedAgain };
}

/** A spill into a folder whose writes end when the test says; each has memory for less than one segment. */
function createSpill() {
  const written = Promise.withResolvers<void>();
  const removed = Promise.withResolvers<string>();
  const lost: number[] = [];
  const folder: SegmentFolder = {
    write: async (msn) => {
      await written.promise;
      return `${msn}.m4s`;
    },
    remove: async (path) => removed.resolve(path),
    close: async () => {},
  };
  const lostOne = Promise.withResolvers<void>();
  const spill = new SegmentSpill({
    folder,
    memory: new MediaMemory(sizeBytes - 1).openShare(() => {}),
    onLost: ({ msn }) => {
      lost.push(msn);
      lostOne.resolve();
    },
  });
  return { spill, written, removed: removed.promise, lost, lostOne: lostOne.promise };
}

/** Until what follows a settled write has run. */
const afterWrite = () => new Promise((resolve) => setImmediate(resolve));

test('a segment on disk leaves its memory to the next one', async () => {
  const { spill, written } = createSpill();
  const { segment, isUsedAgain } = createSegment(1);
  spill.balance([segment], 0);
  expect(isUsedAgain()).toBe(false);
  written.resolve();
  await afterWrite();
  expect([segment.path, segment.parts, isUsedAgain()]).toEqual(['1.m4s', [], true]);
});

test('a segment that nobody may ask for leaves its memory to the next one', () => {
  const { spill } = createSpill();
  const { segment, isUsedAgain } = createSegment(1);
  spill.forget(segment);
  expect(isUsedAgain()).toBe(true);
});

test('what is being written stays as it is, though nobody may ask for it any more, until the write ends', async () => {
  const { spill, written, removed } = createSpill();
  const { segment, isUsedAgain } = createSegment(1);
  spill.balance([segment], 0);
  spill.forget(segment);
  expect(isUsedAgain()).toBe(false);
  written.resolve();
  expect(await removed).toBe('1.m4s');
  await afterWrite();
  expect(isUsedAgain()).toBe(true);
});

test('a write that fails when nobody may ask for the segment any more leaves its memory to the next one', async () => {
  const { spill, written, lost } = createSpill();
  const { segment, isUsedAgain } = createSegment(1);
  spill.balance([segment], 0);
  spill.forget(segment);
  written.reject(new Error('The disk is gone.'));
  await afterWrite();
  expect([lost, isUsedAgain()]).toEqual([[], true]);
});

test('a segment that cannot be written keeps its memory', async () => {
  const { spill, written, lost, lostOne } = createSpill();
  const { segment, isUsedAgain } = createSegment(1);
  spill.balance([segment], 0);
  written.reject(new Error('The disk is full.'));
  await lostOne;
  await afterWrite();
  expect([lost, segment.parts.length, isUsedAgain()]).toEqual([[1], 1, false]);
});
