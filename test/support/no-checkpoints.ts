import type { openStoreWriter } from '../../src/service/store/store-writer.ts';

/** For a writer whose log is never moved into the database. */
export const noCheckpoints: Parameters<typeof openStoreWriter>[0]['checkpoints'] = {
  noteCommit: () => {},
  isPausing: false,
  onDone: () => () => {},
};
