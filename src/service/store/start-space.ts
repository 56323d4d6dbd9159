import { randomBytes } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file in the data folder that takes the space which a start on a full disk needs. */
const fileName = 'space-for-start';

/** The files beside a store take 40 kB, and the replacement of a damaged one three times its size: 1,000 sessions are 300 kB. */
const spaceBytes = 1024 * 1024;

/** Takes the space if it isn't taken yet; a disk without it has none to give. It is random, since file systems compress zeros. */
export function takeStartSpace(dataFolder: string): void {
  const path = join(dataFolder, fileName);
  try {
    if (statSync(path, { throwIfNoEntry: false })?.size === spaceBytes) return;
    writeFileSync(path, randomBytes(spaceBytes), { mode: 0o600 });
  } catch {
    freeStartSpace(dataFolder);
  }
}

/** Gives the space back to the disk. Returns whether there was any. */
export function freeStartSpace(dataFolder: string): boolean {
  try {
    rmSync(join(dataFolder, fileName));
    return true;
  } catch {
    return false;
  }
}
