import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { getDefaultHighWaterMark, setDefaultHighWaterMark } from 'node:stream';

/**
 * Starts a program as `spawn` does, with pipes that are left unread while they are paused. Those of `spawn` read 64 KiB ahead, and each
 * piece of that wakes this process.
 *
 * @throws what `spawn` throws
 */
export function spawnPausable(path: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  // The pipes of a child have no option for it.
  const readAheadBytes = getDefaultHighWaterMark(false);
  setDefaultHighWaterMark(false, 1);
  try {
    return spawn(path, args, options);
  } finally {
    setDefaultHighWaterMark(false, readAheadBytes);
  }
}
