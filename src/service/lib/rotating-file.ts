import { appendFileSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** How large a log may grow, and how many are kept, the current one included. */
export interface RotationBounds {
  maxFileBytes: number;
  maxFiles: number;
  /** What may wait for the disk; lines beyond are dropped and counted. */
  maxWaitingBytes?: number;
}

/** A file that lines are appended to; full ones move aside and the oldest go. */
export interface RotatingFile {
  /** Never waits for the disk, and never throws. */
  write(line: string): void;
  /** Resolves once all that came before is written, or dropped. */
  flush(): Promise<void>;
  /** Writes what waits while the process stands still: for its end. */
  close(): void;
}

const defaultMaxWaitingBytes = 1024 * 1024;
/** How long a disk that stands still may hold up the end of the process. */
const maxCloseWaitMs = 250;

/**
 * Opens `<base>.log` for appending, at the first line: `<base>.1.log` is then the one before it, and so on.
 *
 * Lines are written beside everything else, in order. What cannot be written (a full disk), and what a slow one leaves waiting
 * beyond a bound, is dropped, and how much that was is told: a log must never stop a broadcast. Files and folder are readable
 * by the user alone.
 */
export function openRotatingFile(
  base: string,
  { maxFileBytes, maxFiles, maxWaitingBytes = defaultMaxWaitingBytes }: RotationBounds,
): RotatingFile {
  const path = `${base}.log`;
  let handle: FileHandle | undefined;
  let sizeBytes = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  /** What is being appended, and where. */
  let underWay: { bytes: Buffer; at: number } | undefined;
  let running: Promise<void> | undefined;
  let closed = false;

  const shut = async () => {
    const open = handle;
    handle = undefined;
    await open?.close();
  };
  const openFile = async () => {
    makeFolder(dirname(path));
    handle = await open(path, 'a', 0o600);
    sizeBytes = (await handle.stat()).size;
    return handle;
  };
  const rotate = async () => {
    await shut();
    await rm(numbered(base, maxFiles - 1), { force: true });
    for (let number = maxFiles - 2; number >= 0; number -= 1)
      await moveIfThere(numbered(base, number), numbered(base, number + 1));
    return openFile();
  };
  const add = (line: string) => {
    const bytes = Buffer.from(line);
    waiting.push(bytes);
    waitingBytes += bytes.length;
  };
  /** As many lines as the file has room for, at least one. */
  const takeLines = () => {
    let count = 0;
    let bytes = 0;
    for (const line of waiting) {
      if (count > 0 && sizeBytes + bytes + line.length > maxFileBytes) break;
      count += 1;
      bytes += line.length;
    }
    waitingBytes -= bytes;
    return waiting.splice(0, count);
  };
  const writeSome = async () => {
    let file = handle ?? (await openFile());
    const firstBytes = waiting[0]?.length ?? 0;
    if (sizeBytes > 0 && sizeBytes + firstBytes > maxFileBytes) file = await rotate();
    if (closed) return;
    const lines = takeLines();
    const bytes = Buffer.concat(lines);
    underWay = { bytes, at: sizeBytes };
    try {
      await file.appendFile(bytes);
      sizeBytes += bytes.length;
    } catch (error) {
      dropped += lines.length;
      throw error;
    } finally {
      underWay = undefined;
    }
  };
  const run = async () => {
    try {
      while (waiting.length > 0 && !closed) {
        await writeSome();
        if (dropped > 0 && !closed) add(formatDropped(dropped));
        dropped = 0;
      }
    } catch {
      // Nothing can be said where the log itself fails. The next line tries again, on a file that is opened anew.
      dropped += waiting.length;
      waiting = [];
      waitingBytes = 0;
      await shut().catch(() => {});
    } finally {
      running = undefined;
    }
    if (closed) await shut().catch(() => {});
  };

  return {
    write: (line) => {
      if (closed) return;
      if (waitingBytes > 0 && waitingBytes + line.length > maxWaitingBytes) {
        dropped += 1;
        return;
      }
      add(line);
      running ??= run();
    },
    flush: async () => {
      while (running !== undefined) await running;
    },
    close: () => {
      if (closed) return;
      closed = true;
      try {
        const rest = Buffer.concat([...(underWay === undefined ? [] : [missingOf(path, underWay)]), ...waiting]);
        if (rest.length > 0) {
          makeFolder(dirname(path));
          appendFileSync(path, rest, { mode: 0o600 });
        }
      } catch {
        // As above.
      }
      waiting = [];
      if (running === undefined) shut().catch(() => {});
    },
  };
}

/**
 * What has not come to the file of bytes that are being appended: beside this thread, so that they are waited for, or they would
 * stand there twice.
 */
function missingOf(path: string, { bytes, at }: { bytes: Buffer; at: number }): Buffer {
  const readWritten = () => (statSync(path, { throwIfNoEntry: false })?.size ?? at) - at;
  const giveUpAt = performance.now() + maxCloseWaitMs;
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (readWritten() < bytes.length && performance.now() < giveUpAt) Atomics.wait(never, 0, 0, 2);
  return bytes.subarray(Math.max(0, readWritten()));
}

/** In the shape of the lines around it. */
function formatDropped(dropped: number): string {
  const msg = 'Lines of this log were dropped: its disk was slow or full.';
  return `${JSON.stringify({ level: 40, time: new Date().toISOString(), dropped, msg })}\n`;
}

function numbered(base: string, number: number): string {
  return number === 0 ? `${base}.log` : `${base}.${number}.log`;
}

async function moveIfThere(from: string, to: string) {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
