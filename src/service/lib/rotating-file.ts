import { appendFileSync, statSync } from 'node:fs';
import fs, { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** How large a log file may grow, and how many are kept, including the current one. */
export interface RotationBounds {
  maxFileBytes: number;
  maxFiles: number;
  /** Most bytes waiting for the disk; further lines are dropped and counted. */
  maxWaitingBytes?: number;
}

/** A file that lines are appended to. Full files are rotated, and the oldest is deleted. */
export interface RotatingFile {
  /** Never waits for the disk and never throws. */
  write(line: string): void;
  /** Resolves once all previous lines are written or dropped. */
  flush(): Promise<void>;
  /** Writes waiting lines synchronously, for the end of the process. */
  close(): void;
}

const defaultMaxWaitingBytes = 1024 * 1024;
/** How long a blocked disk may delay the end of the process. */
const maxCloseWaitMs = 250;

/**
 * Opens `<base>.log` for appending when the first line arrives. `<base>.1.log` is the file before it, and so on.
 *
 * Lines are written in the background, in order. Lines that cannot be written (full disk) or exceed the limit behind a slow disk are
 * dropped, and the log records how many: a log must never stop a broadcast. Files and folder are readable only by the user.
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
  /** The bytes being appended, and their offset. */
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
    // On Windows a file that another program has open cannot be moved. Until it is closed, the current one grows past its limit.
    await moveUp(base, maxFiles - 1).catch(() => {});
    return openFile();
  };
  const add = (line: string) => {
    const bytes = Buffer.from(line);
    waiting.push(bytes);
    waitingBytes += bytes.length;
  };
  /** Takes as many lines as fit into the file, at least one. */
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
      // The log itself failed, so there is nowhere to report it. The next line reopens the file and tries again.
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
        // Nothing can be reported here either.
      }
      waiting = [];
      if (running === undefined) shut().catch(() => {});
    },
  };
}

/**
 * The part of these bytes that has not reached the file. The append runs in another thread, so wait for it: otherwise the bytes
 * could be written twice.
 */
function missingOf(path: string, { bytes, at }: { bytes: Buffer; at: number }): Buffer {
  const readWritten = () => (statSync(path, { throwIfNoEntry: false })?.size ?? at) - at;
  const giveUpAt = performance.now() + maxCloseWaitMs;
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (readWritten() < bytes.length && performance.now() < giveUpAt) Atomics.wait(never, 0, 0, 2);
  return bytes.subarray(Math.max(0, readWritten()));
}

/** Formats a line about dropped lines, like the lines around it. */
function formatDropped(dropped: number): string {
  const msg = 'Log lines were dropped because the disk was slow or full.';
  return `${JSON.stringify({ level: 40, time: new Date().toISOString(), dropped, msg })}\n`;
}

/**
 * Moves `<base>.log` to `<base>.1.log`, and the files before it one number up; the one past `last` is deleted.
 *
 * The current file goes first, to `<base>.0.log`: if that fails, nothing has been deleted for it. If another move fails, the next call
 * resumes there.
 */
async function moveUp(base: string, last: number): Promise<void> {
  const numbered = (number: number) => `${base}.${number}.log`;
  const closeGap = async () => {
    let gap = 1;
    while (gap < last && (await isThere(numbered(gap)))) gap += 1;
    for (let number = gap; number > 0; number -= 1) await fs.rename(numbered(number - 1), numbered(number));
  };
  if (await isThere(numbered(0))) await closeGap();
  await fs.rename(`${base}.log`, numbered(0));
  await closeGap();
}

async function isThere(path: string): Promise<boolean> {
  return (await fs.stat(path).catch(() => undefined)) !== undefined;
}
