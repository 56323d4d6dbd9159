import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** How large a log may grow, and how many are kept, the current one included. */
export interface RotationBounds {
  maxFileBytes: number;
  maxFiles: number;
}

/** A file that lines are appended to; full ones move aside and the oldest go. */
export interface RotatingFile {
  write(line: string): void;
  close(): void;
}

/**
 * Opens `<base>.log` for appending, at the first line: `<base>.1.log` is then the one before it, and so on.
 *
 * Lines are on disk when `write` returns, so the last words before a crash are kept. What cannot be written (a full disk)
 * is dropped: a log must never stop a broadcast. Files and folder are readable by the user alone.
 */
export function openRotatingFile(base: string, { maxFileBytes, maxFiles }: RotationBounds): RotatingFile {
  const path = `${base}.log`;
  let fd: number | undefined;
  let sizeBytes = 0;
  let closed = false;

  const open = () => {
    makeFolder(dirname(path));
    fd = openSync(path, 'a', 0o600);
    sizeBytes = fstatSync(fd).size;
  };
  const shut = () => {
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
  };
  const rotate = () => {
    shut();
    rmSync(numbered(base, maxFiles - 1), { force: true });
    for (let number = maxFiles - 2; number >= 0; number -= 1) moveIfThere(numbered(base, number), numbered(base, number + 1));
    open();
  };

  return {
    write: (line) => {
      if (closed) return;
      try {
        if (fd === undefined) open();
        const bytes = Buffer.from(line);
        if (sizeBytes > 0 && sizeBytes + bytes.length > maxFileBytes) rotate();
        if (fd !== undefined) sizeBytes += writeSync(fd, bytes);
      } catch {
        // Nothing can be said where the log itself fails.
      }
    },
    close: () => {
      closed = true;
      shut();
    },
  };
}

function numbered(base: string, number: number): string {
  return number === 0 ? `${base}.log` : `${base}.${number}.log`;
}

function moveIfThere(from: string, to: string) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
