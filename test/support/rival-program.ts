import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Opens the store of a data folder as another program, which waits its turn: the service may be writing just then. */
export const openStoreAsRival = (dataFolder: string) =>
  new DatabaseSync(join(dataFolder, 'tallylight.db'), { timeout: 10_000 });

/** Another program that holds the write lock of a data folder's store until it is released. */
export function lockStore(dataFolder: string) {
  const db = openStoreAsRival(dataFolder);
  db.exec('BEGIN EXCLUSIVE');
  const release = () => {
    if (db.isOpen) db.close();
  };
  return { release, [Symbol.dispose]: release };
}
