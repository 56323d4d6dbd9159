import { expect, test } from 'vitest';
import { DiskReserve } from './disk-reserve.ts';

const gib = 1024 ** 3;
const blockBytes = 4096;

/** A disk of this size; the test sets how much of it is free and what time it is. */
function createDisk(sizeBytes: number, freeBytes: number) {
  const disk = { freeBytes, nowMs: 0, looks: 0 };
  const reserve = new DiskReserve('/data/segments', {
    statfs: async (path) => {
      if (path !== '/data/segments') throw new Error('ENOENT');
      disk.looks += 1;
      return { type: 0, bsize: blockBytes, blocks: sizeBytes / blockBytes, bavail: disk.freeBytes / blockBytes };
    },
    nowMs: () => disk.nowMs,
  });
  return { disk, reserve };
}

/** A share that gives back as much as it is asked for, if it has it, and records how much that was. */
function openShare(reserve: DiskReserve, hasBytes = 0, deletion = Promise.resolve()) {
  let leftBytes = hasBytes;
  const asked: number[] = [];
  const share = reserve.openShare((missingBytes) => {
    asked.push(missingBytes);
    const bytes = Math.min(missingBytes, leftBytes);
    leftBytes -= bytes;
    void share.giveBack(bytes, deletion);
  });
  return { share, asked };
}

test.each([
  ['2 GiB of a disk', 500 * gib, 2 * gib],
  ['a twentieth of a small one', 10 * gib, gib / 2],
])('%s stay free: a write that would use them is refused as on a full disk', async (_, sizeBytes, reservedBytes) => {
  const { reserve } = createDisk(sizeBytes, reservedBytes + 8 * blockBytes);
  const { share, asked } = openShare(reserve);
  await share.take(5 * blockBytes);
  await expect(share.take(4 * blockBytes)).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(asked).toEqual([blockBytes]);
  await share.take(3 * blockBytes);
});

test('free space is measured every 5 s at most; in between, room that is taken and given back counts', async () => {
  const { disk, reserve } = createDisk(500 * gib, 2 * gib + 4096);
  const { share, asked } = openShare(reserve);
  await Promise.all([share.take(1), share.take(1)]);
  disk.freeBytes = gib;
  disk.nowMs = 4_999;
  await share.take(4094);
  await expect(share.take(10)).rejects.toMatchObject({ code: 'ENOSPC' });
  await share.giveBack(10, Promise.resolve());
  await share.take(10);
  expect(disk.looks).toBe(1);
  disk.nowMs = 5_000;
  await expect(share.take(1)).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(asked).toEqual([10, gib + 1]);
  expect(disk.looks).toBe(2);
});

test('all make room by their size, and once, however many writes wait for the same measurement', async () => {
  const { disk, reserve } = createDisk(500 * gib, 2 * gib + 1000 * blockBytes);
  const [large, small, empty] = [openShare(reserve, gib), openShare(reserve, gib), openShare(reserve, gib)];
  await large.share.take(600 * blockBytes);
  await small.share.take(300 * blockBytes);
  // Another program has taken the rest, and 30 blocks of the reserve.
  disk.freeBytes = 2 * gib - 30 * blockBytes;
  disk.nowMs = 5_000;
  await Promise.all([large, small, empty].map(({ share }) => share.take(30 * blockBytes)));
  const sum = (bytes: number[]) => bytes.reduce((all, one) => all + one, 0) / blockBytes;
  // 30 of the reserve and 30 for the first write, then 30 for each of the others.
  expect([large.asked[0], small.asked[0]]).toEqual([40 * blockBytes, 20 * blockBytes]);
  expect(sum([...large.asked, ...small.asked, ...empty.asked])).toBeCloseTo(120, 2);
  expect(disk.looks).toBe(2);
});

test('what was given back is no longer part of a size', async () => {
  const { reserve } = createDisk(500 * gib, 2 * gib + 40 * blockBytes);
  const [large, small] = [openShare(reserve, gib), openShare(reserve, gib)];
  await large.share.take(30 * blockBytes);
  await small.share.take(10 * blockBytes);
  await large.share.giveBack(20 * blockBytes, Promise.resolve());
  await small.share.take(24 * blockBytes);
  expect([large.asked, small.asked]).toEqual([[2 * blockBytes], [2 * blockBytes]]);
});

test('room that is still being deleted for the reserve is not asked for again', async () => {
  const { disk, reserve } = createDisk(500 * gib, 2 * gib + 10 * blockBytes);
  const deletion = Promise.withResolvers<void>();
  const { share, asked } = openShare(reserve, gib, deletion.promise);
  const takeOneAt = async (nowMs: number, missingBlocks: number) => {
    Object.assign(disk, { nowMs, freeBytes: 2 * gib - missingBlocks * blockBytes });
    await share.take(blockBytes);
    return asked.splice(0).map((bytes) => bytes / blockBytes);
  };
  await share.take(10 * blockBytes);
  expect(await takeOneAt(5_000, 5)).toEqual([6]);
  expect(await takeOneAt(10_000, 6)).toEqual([1]);
  deletion.resolve();
  expect(await takeOneAt(15_000, 0)).toEqual([1]);
  // Another program has taken more.
  expect(await takeOneAt(20_000, 2)).toEqual([3]);
});

test('the room of a closed share is free for the others, and it is not asked for any', async () => {
  const { reserve } = createDisk(500 * gib, 2 * gib + 8 * blockBytes);
  const [ended, onAir] = [openShare(reserve), openShare(reserve)];
  await ended.share.take(5 * blockBytes);
  await expect(onAir.share.take(4 * blockBytes)).rejects.toMatchObject({ code: 'ENOSPC' });
  ended.share.close();
  await onAir.share.take(8 * blockBytes);
  await expect(onAir.share.take(1)).rejects.toMatchObject({ code: 'ENOSPC' });
  expect([ended.asked, onAir.asked]).toEqual([[blockBytes], [1]]);
});

test.each([
  ['cannot say how full it is', async () => Promise.reject(new Error('ENOSYS'))],
  ['says nothing of its size', async () => ({ type: 0, bsize: 4096, blocks: 0, bavail: 0 })],
])('a file system that %s refuses nothing by itself', async (_, statfs) => {
  const reserve = new DiskReserve('/data/segments', { statfs, nowMs: () => 0 });
  await openShare(reserve).share.take(gib);
});
