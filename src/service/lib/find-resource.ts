import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The path of a file that ships in `resources/`; undefined where it is missing.
 *
 * It is looked for upwards from this module, so that sources, the built service and a package find the same file.
 */
export function findResource(name: string): string | undefined {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const path = join(folder, 'resources', name);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}
