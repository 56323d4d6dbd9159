import { existsSync } from 'node:fs';
import { sep } from 'node:path';

const packed = `${sep}app.asar${sep}`;
const unpacked = `${sep}app.asar.unpacked${sep}`;

/**
 * The real path of a file that ships with the app.
 *
 * In a package, Electron shows the content of `app.asar` as files, but only to our own process: other programs cannot be started from
 * there or open files there. Files they need are unpacked beside it.
 */
export function unpackedPath(path: string): string {
  const outside = path.replace(packed, unpacked);
  return outside !== path && existsSync(outside) ? outside : path;
}
