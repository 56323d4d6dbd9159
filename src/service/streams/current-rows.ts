import type { ListFilter, StreamRow, StreamTable } from '../store/stream-table.ts';
import type { SessionLedger } from './session-ledger.ts';

/** Which rows are listed, newest first. */
export type RowFilter = Omit<ListFilter, 'ids'> & { activeOnly: boolean };

/** The current rows of streams and sessions: stored rows plus what the ledger has not written yet. Never writes. */
export interface CurrentRows {
  find(id: string): StreamRow | undefined;
  findByKeyHash(keyHash: Uint8Array): StreamRow | undefined;
  findByOldKeyHash(keyHash: Uint8Array): StreamRow | undefined;
  findByPlaybackId(playbackId: string): StreamRow | undefined;
  list(filter: RowFilter): StreamRow[];
}

/** Combines the table and the ledger. */
export function createCurrentRows(table: StreamTable, ledger: SessionLedger): CurrentRows {
  const update = (row: StreamRow | undefined) => row && ledger.update(row);
  return {
    find: (id) => update(ledger.findUnwritten(id) ?? table.find(id)),
    findByKeyHash: (keyHash) => update(table.findByKeyHash(keyHash)),
    findByOldKeyHash: (keyHash) => update(table.findByOldKeyHash(keyHash)),
    findByPlaybackId: (playbackId) => update(table.findByPlaybackId(playbackId)),
    list({ activeOnly, ...filter }) {
      const stored = table.list({ ...filter, ...(activeOnly && { ids: ledger.activeIds() }) });
      // Unwritten sessions are newer than all stored ones.
      const unwritten = ledger.listUnwritten().filter((row) => isListed(row, filter));
      const rows = [...unwritten, ...stored].map(ledger.update).filter((row) => !activeOnly || row.isActive === 1);
      return filter.limit < 0 ? rows : rows.slice(0, filter.limit);
    },
  };
}

function isListed(session: StreamRow, { kind, parentId, record, beforeSeq }: Omit<ListFilter, 'ids'>): boolean {
  return (
    kind !== 'streams' &&
    session.seq < beforeSeq &&
    (parentId === undefined || session.parentId === parentId) &&
    (record !== true || session.record === 1)
  );
}
