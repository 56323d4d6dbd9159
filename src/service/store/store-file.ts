import { closeSync, existsSync, fchmodSync, openSync, readSync } from 'node:fs';
import { DamagedStore } from './store-damage.ts';

/** Creates the file with our mode before SQLite does; its -wal and -shm files inherit the mode. @throws DamagedStore */
export function prepareFile(file: string, isNew: boolean): void {
  const descriptor = openSync(file, 'a+', 0o600);
  try {
    fchmodSync(descriptor, 0o600);
    const header = readHeader(descriptor);
    const isFirst = header.length === 0 && isNew && !existsSync(`${file}-wal`);
    // Checked here, because SQLite would delete a -wal that does not match.
    if (!isFirst && !header.equals(databaseMagic)) throw new DamagedStore('file is not a database');
  } finally {
    closeSync(descriptor);
  }
}

/** Whether a file begins like a SQLite file. It must not be open. */
export function hasHeader(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    return readHeader(descriptor).equals(databaseMagic);
  } finally {
    closeSync(descriptor);
  }
}

/** The first bytes of every SQLite file (sqlite.org/fileformat2.html §1.3.1). */
const databaseMagic = Buffer.from('SQLite format 3\0');

function readHeader(descriptor: number): Buffer {
  const header = Buffer.alloc(databaseMagic.length);
  return header.subarray(0, readSync(descriptor, header, 0, header.length, 0));
}
