import { expect, test } from 'vitest';
import { DiskReserve } from './disk-reserve.ts';

const gib = 1024 ** 3;
const blockBytes = 4096;

/** A disk of this size; the test sets how much of it is free and what time it is. */
function createDisk(sizeBytes: number, freeBytes: number) {
  const disk = { freeBytes, nowMs: 0, looks: 0 };
  const reserve = new DiskReserve('/data/segments', {
    statfs: async () => {
      disk.looks += 1;
      return { bsize: blockBytes, blocks: sizeBytes / blockBytes, bavail: disk.freeBytes / blockBytes };
    },
    nowMs: () => disk.nowMs,
  });
  return { disk, reserve };
}

test.each([
  ['2 GiB of a disk', 500 * gib, 2 * gib],
  ['a twentieth of a small one', 10 * gib, gib / 2],
])('%s stay free: what would take of them is refused as on a full disk', async (_, sizeBytes, reservedBytes) => {
  const { reserve } = createDisk(sizeBytes, reservedBytes + 8 * blockBytes);
  await reserve.take(5 * blockBytes);
  await expect(reserve.take(4 * blockBytes)).rejects.toMatchObject({ code: 'ENOSPC', missingBytes: blockBytes });
  await reserve.take(3 * blockBytes);
});

test('the disk is asked every 5 s at most; in between, what is taken and given back counts', async () => {
  const { disk, reserve } = createDisk(500 * gib, 2 * gib + 4096);
  await Promise.all([reserve.take(1), reserve.take(1)]);
  disk.freeBytes = gib;
  disk.nowMs = 4_999;
  await reserve.take(4094);
  await expect(reserve.take(10)).rejects.toMatchObject({ missingBytes: 10 });
  reserve.giveBack(10);
  await reserve.take(10);
  expect(disk.looks).toBe(1);
  disk.nowMs = 5_000;
  await expect(reserve.take(1)).rejects.toMatchObject({ missingBytes: gib + 1 });
  expect(disk.looks).toBe(2);
});

test.each([
  ['cannot say how full it is', async () => Promise.reject(new Error('ENOSYS'))],
  ['says nothing of its size', async () => ({ bsize: 4096, blocks: 0, bavail: 0 })],
])('a file system that %s refuses nothing by itself', async (_, statfs) => {
  const reserve = new DiskReserve('/data/segments', { statfs, nowMs: () => 0 });
  await reserve.take(gib);
});
