import { type MockInstance, vi } from 'vitest';
import type { Streams } from '../../src/service/streams/streams.ts';

/** SQLite's error when the disk fails to read or write (`SQLITE_IOERR`). */
export function makeDiskFault(): Error {
  return Object.assign(new Error('disk I/O error'), { errcode: 10 });
}

/** From now on no stream can be found by its key, since the disk fails. */
export function breakKeyLookup(streams: Streams): MockInstance {
  return vi.spyOn(streams, 'findByStreamKey').mockImplementation(() => {
    throw makeDiskFault();
  });
}
