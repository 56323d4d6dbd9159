import { expect, test } from 'vitest';
import { findStoreFault, isDiskFull } from './store-fault.ts';

test.each([
  // SQLITE_IOERR_READ, WRITE and SHMSIZE, and SQLITE_FULL.
  [266, 'disk-failed'],
  [778, 'disk-failed'],
  [4874, 'disk-full'],
  [13, 'disk-full'],
])('the code %i of SQLite is the fault %s', (errcode, code) => {
  expect(findStoreFault(Object.assign(new Error('disk I/O error'), { errcode }))).toMatchObject({
    code: 'UNAVAILABLE',
    details: { storeProblem: { fault: { code } } },
  });
});

test('a disk is full, or the part of it that a user may fill', () => {
  const isFull = (code: string) => isDiskFull(Object.assign(new Error('failed'), { code }));
  expect(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'].map(isFull)).toEqual([true, true, false, false]);
});
