import { existsSync } from 'node:fs';
import { sep } from 'node:path';

const packed = `${sep}app.asar${sep}`;
const unpacked = `${sep}app.asar.unpacked${sep}`;

/**
 * Where a file that ships with the app really is.
 *
 * In a package Electron shows what is inside `app.asar` as if it were files, to our own process alone: another program can neither
 * be started from there nor open a file there. What is needed outside is unpacked beside it.
 */
export function unpackedPath(path: string): string {
  const outside = path.replace(packed, unpacked);
  return outside !== path && existsSync(outside) ? outside : path;
}
