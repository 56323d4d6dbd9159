import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { getDefaultHighWaterMark, setDefaultHighWaterMark } from 'node:stream';

/**
 * Starts a program as `spawn` does, but reads nothing from paused pipes. The pipes of `spawn` read up to 64 KiB ahead, and each piece
 * wakes this process. Writing to its stdin returns false as soon as anything waits: `writableLength` tells how much.
 *
 * @throws what `spawn` throws
 */
export function spawnPausable(path: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  // `spawn` has no option for it.
  const readAheadBytes = getDefaultHighWaterMark(false);
  setDefaultHighWaterMark(false, 1);
  try {
    return spawn(path, args, options);
  } finally {
    setDefaultHighWaterMark(false, readAheadBytes);
  }
}
