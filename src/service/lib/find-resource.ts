import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unpackedPath } from './unpacked-path.ts';

/**
 * The path of a file that ships in `resources/`, usable by other programs too; undefined if it is missing.
 *
 * Searches upwards from this module, so that sources, the built service and a package find the same file.
 */
export function findResource(name: string, from: string = import.meta.dirname): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'resources', name);
    if (existsSync(path)) return unpackedPath(path);
    if (folder === dirname(folder)) return undefined;
  }
}
