import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { besideStore } from './store-file.ts';

/**
 * Renames a damaged store and the files of SQLite beside it, so that everything salvageable stays together; returns its new path.
 *
 * The store itself comes first: if the process ends meanwhile, {@link finishSettingAside} knows where the others belong. If one of them
 * cannot be renamed, none is.
 *
 * @throws the file system's own error
 */
export function setFileAside(file: string): string {
  const aside = findFreeName(file);
  const renamed: string[] = [];
  try {
    for (const suffix of ['', ...besideStore]) {
      if (!existsSync(file + suffix)) continue;
      renameSync(file + suffix, aside + suffix);
      renamed.push(suffix);
    }
  } catch (error) {
    for (const suffix of renamed.reverse()) renameSync(aside + suffix, file + suffix);
    throw error;
  }
  return aside;
}

/** Sets aside what is left beside a store that {@link setFileAside} has renamed. */
export function finishSettingAside(file: string): void {
  const [aside = findFreeName(file)] = listSetAside(file);
  for (const suffix of besideStore) if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
}

/** The stores that were set aside and are still there, newest first. */
export function listSetAside(file: string): string[] {
  const folder = dirname(file);
  const prefix = `${basename(file, '.db')}-damaged-`;
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix) && name.endsWith('.db'));
  return names
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

function findFreeName(file: string): string {
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  const named = (suffix: string) => file.replace(/\.db$/, `-damaged-${stamp}${suffix}.db`);
  let free = named('');
  for (let count = 2; existsSync(free); count++) free = named(`-${count}`);
  return free;
}
