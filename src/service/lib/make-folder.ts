import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './read-error.ts';

/**
 * Creates a folder and its parents, readable only by the user (mode 0700). An existing folder is left unchanged.
 *
 * Node's `recursive` option loops forever if a file system refuses with ENOENT, as `/proc` does.
 *
 * @returns those it created, the innermost first
 * @throws the file system's own error
 */
export function makeFolder(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return [];
  const parent = dirname(folder);
  // The root is missing if it is a drive of Windows that isn't there: the system says so.
  const above = parent === folder ? [] : makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return [folder, ...above];
}
