import { expect, test } from 'vitest';
import { findStoreFault } from './store-fault.ts';

test.each([
  // SQLITE_IOERR_READ, WRITE and SHMSIZE, and SQLITE_FULL.
  [266, 'The store cannot be used: its disk failed to read or write.'],
  [778, 'The store cannot be used: its disk failed to read or write.'],
  [4874, 'The store cannot be written: the disk is full.'],
  [13, 'The store cannot be written: the disk is full.'],
])('the code %i of SQLite gets its sentence', (errcode, sentence) => {
  expect(findStoreFault(Object.assign(new Error('disk I/O error'), { errcode }))).toMatchObject({
    code: 'UNAVAILABLE',
    message: sentence,
  });
});
