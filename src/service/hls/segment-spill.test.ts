import { expect, test } from 'vitest';
import { collectGarbage } from '../../../test/support/collect-garbage.ts';
import { soon } from '../../../test/support/soon.ts';
import { untilAborted } from '../lib/until-aborted.ts';
import { mediaBlocks } from '../media/media-blocks.ts';
import { MediaMemory } from './media-memory.ts';
import type { SegmentFolder } from './segment-archive.ts';
import { SegmentSpill, type SpillableSegment } from './segment-spill.ts';

/** A size that nothing else here has. */
const sizeBytes = 100 * 4096;

/** A segment in memory, and whether its memory is reused for the next one of its size. */
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

/**
 * A spill into a folder whose writes end when the test says so, with memory for less than one segment by default. With `waits`
 * its writes don't begin.
 */
function createSpill(maxBytes = sizeBytes - 1, { waits = false } = {}) {
  const written = Promise.withResolvers<void>();
  const removed = Promise.withResolvers<string>();
  const lost: number[] = [];
  const writes: number[] = [];
  let makeRoom: (missingBytes: number) => void = () => {};
  const folder: SegmentFolder = {
    onShortage: (callback) => {
      makeRoom = callback;
    },
    write: async (msn, _buffers, signal) => {
      writes.push(msn);
      await (waits && signal ? untilAborted(written.promise, signal) : written.promise);
      return `${msn}.m4s`;
    },
    remove: async (path) => removed.resolve(path),
    close: async () => {},
  };
  const lostOne = Promise.withResolvers<void>();
  const memory = new MediaMemory(maxBytes);
  const spill = new SegmentSpill({
    folder,
    memory: memory.openShare(() => {}),
    onLost: ({ msn }) => {
      lost.push(msn);
      lostOne.resolve();
    },
  });
  return { spill, memory, written, writes, removed: removed.promise, makeRoom, lost, lostOne: lostOne.promise };
}

/** Resolves once the code after a settled write has run. */
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

test('gaps have nothing to write: they stay, and the parts that they began with leave their memory', () => {
  const { spill, memory, writes } = createSpill();
  const other = memory.openShare(() => {});
  const gap = (msn: number): SpillableSegment => ({ msn, sizeBytes: 0, parts: [] });
  // The encoder stopped inside it: its parts can be asked for only while they are in the playlist.
  const begun = createSegment(2);
  begun.segment.sizeBytes = 0;
  const segments = [gap(1), begun.segment, createSegment(3).segment, gap(4)];
  spill.balance(segments, 1);
  expect(writes).toEqual([3]);
  expect(segments.map(({ parts, path }) => [parts.length, path])).toEqual([0, 0, 1, 0].map((parts) => [parts, undefined]));
  expect(begun.isUsedAgain()).toBe(true);
  expect(other.maxWaitingBytes).toBe(0);
});

test('a segment that nobody may ask for leaves its memory to the next one', () => {
  const { spill } = createSpill();
  const { segment, isUsedAgain } = createSegment(1);
  spill.forget(segment);
  expect(isUsedAgain()).toBe(true);
});

test('a segment that waits to be written leaves its memory to the next one, once nobody may ask for it or play any more', async () => {
  const { spill, memory, writes, lost } = createSpill(1.5 * sizeBytes, { waits: true });
  const other = memory.openShare(() => {});
  const [first, second, third] = [createSegment(1), createSegment(2), createSegment(3)];
  spill.balance([first.segment, second.segment, third.segment], 0);
  spill.forget(first.segment);
  await afterWrite();
  expect([writes, first.isUsedAgain(), other.maxWaitingBytes]).toEqual([[1, 2], true, 0.5 * sizeBytes]);
  spill.close();
  await afterWrite();
  expect([lost, other.maxWaitingBytes]).toEqual([[], 1.5 * sizeBytes]);
});

test('a segment that is being written stays as it is until the write ends, though nobody may ask for it any more', async () => {
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

test('segments that fail to be written together cost one of them: the others are tried again', async () => {
  const { spill, written, writes, lost } = createSpill(1.5 * sizeBytes);
  const segments = [1, 2, 3].map((msn) => createSegment(msn).segment);
  spill.balance(segments, 0);
  written.reject(new Error('The disk is full.'));
  await afterWrite();
  expect([writes, lost]).toEqual([[1, 2], [1]]);
  spill.balance(segments.slice(1), 0);
  await afterWrite();
  expect([writes, lost]).toEqual([
    [1, 2, 2],
    [1, 2],
  ]);
});

test('if the disk lacks room, the oldest segments on it go at once', async () => {
  const { spill, written, makeRoom, lost } = createSpill();
  makeRoom(sizeBytes);
  expect(lost).toEqual([]);
  written.resolve();
  for (let msn = 1; msn <= 120; msn += 1) {
    spill.balance([createSegment(msn).segment], 0);
    await afterWrite();
  }
  makeRoom(99.5 * sizeBytes);
  expect(lost).toEqual([100]);
});

test.each([
  ['written', (written: PromiseWithResolvers<void>) => written.resolve()],
  ['not written', (written: PromiseWithResolvers<void>) => written.reject(new Error('The disk is full.'))],
])('what is %s after nobody plays any more loses nothing, and leaves the memory to others', async (_, settle) => {
  const { spill, memory, written, writes, lost } = createSpill(1.5 * sizeBytes);
  const other = memory.openShare(() => {});
  const segments = [1, 2].map((msn) => createSegment(msn).segment);
  spill.balance(segments, 1);
  expect([other.maxBytes, other.maxWaitingBytes]).toEqual([0.75 * sizeBytes, 0.5 * sizeBytes]);
  spill.close();
  settle(written);
  await afterWrite();
  // More than there is room for.
  spill.balance([...segments, createSegment(3).segment, createSegment(4).segment], 0);
  await afterWrite();
  expect([writes, lost, segments.map(({ path, parts }) => [path, parts.length])]).toEqual([
    [1],
    [],
    [
      [undefined, 1],
      [undefined, 1],
    ],
  ]);
  expect([other.maxBytes, other.maxWaitingBytes]).toEqual([1.5 * sizeBytes, 1.5 * sizeBytes]);
});

test('segments on disk are forgotten once nobody plays any more', async () => {
  const { spill, written } = createSpill();
  const write = () => {
    const { segment } = createSegment(1);
    spill.balance([segment], 0);
    return new WeakRef(segment);
  };
  const segment = write();
  written.resolve();
  await afterWrite();
  collectGarbage();
  expect(segment.deref()?.path).toBe('1.m4s');
  spill.close();
  await soon(() => {
    collectGarbage();
    expect(segment.deref()).toBeUndefined();
  });
  // The spill itself remains while an encoder fills its store.
  spill.balance([], 0);
});

test('a disk that is too slow counts as full, once as much waits for it as may be in memory; each segment is written once', async () => {
  const { spill, memory, written, writes, lost } = createSpill(1.5 * sizeBytes);
  const other = memory.openShare(() => {});
  const segments = [1, 2, 3, 4].map((msn) => createSegment(msn).segment);
  for (const count of [2, 3, 3]) spill.balance(segments.slice(0, count), 0);
  expect([writes, lost, other.maxWaitingBytes]).toEqual([[1, 2], [], 0]);
  spill.balance(segments, 0);
  expect([writes, lost]).toEqual([
    [1, 2],
    [1, 2, 3],
  ]);
  written.resolve();
  await afterWrite();
  expect([segments.map(({ path }) => path), other.maxWaitingBytes]).toEqual([
    ['1.m4s', '2.m4s', undefined, undefined],
    1.5 * sizeBytes,
  ]);
});

test('other renditions ask for the room of segments that could go to disk, not of those that have to stay', () => {
  const asked: string[] = [];
  const memory = new MediaMemory(2 * sizeBytes);
  for (const keep of [1, 0]) {
    const share = memory.openShare(() => asked.push(`keeps ${keep}`));
    const spill = new SegmentSpill({ folder: undefined, memory: share, onLost: () => {} });
    spill.balance([createSegment(1).segment], keep);
  }
  expect(asked).toEqual([]);
  memory.openShare(() => {}).note(1, 0);
  expect(asked).toEqual(['keeps 0']);
});
