import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another program that holds the write lock of a data folder's store until it is released. */
export function lockStore(dataFolder: string) {
  const db = new DatabaseSync(join(dataFolder, 'tallylight.db'));
  db.exec('BEGIN EXCLUSIVE');
  const release = () => {
    if (db.isOpen) db.close();
  };
  return { release, [Symbol.dispose]: release };
}
