import { closeSync, existsSync, fchmodSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { DamagedStore } from './store-damage.ts';

/**
 * Creates the file with our mode before SQLite does; its -wal and -shm files inherit the mode. Only that of a first start may be empty.
 *
 * @throws DamagedStore
 */
export function prepareFile(file: string, { isFirst }: { isFirst: boolean }): void {
  const descriptor = openSync(file, 'a+', 0o600);
  try {
    fchmodSync(descriptor, 0o600);
    const header = readHeader(descriptor);
    const mayBeEmpty = isFirst && !existsSync(`${file}-wal`);
    // Checked here, because SQLite would delete a -wal that does not match.
    if (!(mayBeEmpty && header.length === 0) && !isReadable(header)) throw new DamagedStore('file is not a database');
  } finally {
    closeSync(descriptor);
  }
}

/** Whether a file begins like a store, at least in part. It must not be open. */
export function isLikeStore(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const header = readHeader(descriptor);
    return [databaseMagic, pageFormat].some(({ at, bytes }) => header.subarray(at, at + bytes.length).equals(bytes));
  } finally {
    closeSync(descriptor);
  }
}

/** Writes the constants of a header that is damaged. The file must not be open. */
export function mendHeader(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    const constants = hasOtherPageSize(readHeader(descriptor)) ? [databaseMagic] : [databaseMagic, pageFormat, schemaFormat];
    for (const { at, bytes } of constants) writeSync(descriptor, bytes, 0, bytes.length, at);
  } finally {
    closeSync(descriptor);
  }
}

/** The suffixes of the files that SQLite makes beside a store. It would take one that is left for that of the next store. */
export const besideStore = ['-journal', '-wal', '-shm'] as const;

/** Removes a store that nobody has open, with the files that SQLite made beside it. */
export function removeStore(file: string): void {
  for (const suffix of ['', ...besideStore]) rmSync(file + suffix, { force: true });
}

/** The constants in the header of every store of ours (sqlite.org/fileformat2.html §1.3). */
const databaseMagic = { at: 0, bytes: Buffer.from('SQLite format 3\0') };
/** Pages of 4096 bytes with nothing reserved, a write-ahead log, and the payload fractions. */
const pageFormat = { at: 16, bytes: Buffer.from([0x10, 0, 2, 2, 0, 64, 32, 32]) };
/** Schema format 4, no size of the cache, no auto-vacuum, UTF-8. */
const schemaFormat = { at: 44, bytes: Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]) };

/** Whether another program has vacuumed the store to pages of another size: a changed bit makes none of these of ours. */
function hasOtherPageSize(header: Buffer): boolean {
  return header.length === headerBytes && [1, 512, 1024, 2048, 8192, 16384, 32768].includes(header.readUInt16BE(pageFormat.at));
}

const headerBytes = 100;

function readHeader(descriptor: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  return header.subarray(0, readSync(descriptor, header, 0, header.length, 0));
}

/** Whether SQLite can open a file that begins so, and write it: it calls other formats read-only or unsupported instead of damaged. */
function isReadable(header: Buffer): boolean {
  if (header.length < headerBytes || !header.subarray(0, databaseMagic.bytes.length).equals(databaseMagic.bytes)) return false;
  return header.readUInt8(18) <= 2 && header.readUInt8(19) <= 2 && header.readUInt32BE(schemaFormat.at) <= 4;
}
