import { ServiceError } from '../../shared/errors.ts';
import type { StreamChanges } from '../../shared/model/stream.ts';
import { violationError } from '../lib/violations.ts';
import type { StreamRow } from '../store/stream-table.ts';
import type { CurrentRows } from './current-rows.ts';
import type { LiveControl } from './live-control.ts';
import { checkProfiles } from './profile-check.ts';

/**
 * The checks of a call with an id before it does anything. All throw a {@link ServiceError} NOT_FOUND if the id is unknown or
 * deleted.
 */
export interface StreamChecks {
  /** A stream or a session. */
  getRow(id: string): StreamRow;
  /** A stream; NOT_FOUND for a session's id. */
  getStreamRow(id: string): StreamRow;
  /** A stream. @throws {ServiceError} IS_SESSION */
  getChangeableRow(id: string): StreamRow;
  /** Throws if the stream cannot be changed this way now, as `Streams.update` does. */
  checkEdits(id: string, edits: StreamChanges): void;
}

/** Creates the checks. They only read. */
export function createStreamChecks(rows: Pick<CurrentRows, 'find'>, live: () => Pick<LiveControl, 'isLive'>): StreamChecks {
  const getRow = (id: string): StreamRow => {
    const row = rows.find(id);
    if (row === undefined) throw new ServiceError('NOT_FOUND', 'No stream has this id.');
    return row;
  };
  const getChangeableRow = (id: string): StreamRow => {
    const row = getRow(id);
    if (row.parentId !== null) {
      throw new ServiceError(
        'IS_SESSION',
        `This is the id of a session, which cannot be changed. Its stream is ${row.parentId}.`,
      );
    }
    return row;
  };
  return {
    getRow,
    getStreamRow(id) {
      const row = getRow(id);
      if (row.parentId !== null) throw new ServiceError('NOT_FOUND', 'No stream has this id.');
      return row;
    },
    getChangeableRow,
    checkEdits(id, edits) {
      const row = getChangeableRow(id);
      if (Object.values(edits).every((value) => value === undefined)) {
        throw violationError('INVALID_INPUT', [{ code: 'rule', path: [], words: 'must have at least one property to change' }]);
      }
      checkProfiles(edits.profiles);
      if (edits.profiles === undefined && edits.record === undefined) return;
      if (row.isActive !== 1 && !live().isLive(id)) return;
      const when = row.isActive === 1 ? 'while the stream is on air' : 'after an encoder has connected';
      throw new ServiceError('STREAM_ACTIVE', `Profiles and recording cannot be changed ${when}. Stop it first.`);
    },
  };
}
