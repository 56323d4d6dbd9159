import { open } from 'node:fs/promises';
import { sliceBuffers } from './slice-buffers.ts';

/** The most buffers that one call takes everywhere (IOV_MAX, limits.h(0p)). */
const maxBuffers = 1024;

/**
 * Writes buffers one after another to a new file, or over an old one, readable by the user only. All go to the system at once:
 * `writeFile` would write them one by one, each in the thread pool.
 *
 * @throws the file system's error; data written so far stays
 */
export async function writeBuffers(path: string, buffers: readonly Buffer[]): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    let left = sliceBuffers(buffers, 0, Number.POSITIVE_INFINITY);
    while (left.length > 0) {
      const { bytesWritten } = await file.writev(left.slice(0, maxBuffers));
      left = sliceBuffers(left, bytesWritten, Number.POSITIVE_INFINITY);
    }
  } finally {
    await file.close();
  }
}
