import { ServiceError } from '../../shared/errors.ts';

/** The format of a cursor. */
export const cursorPattern = /^c[0-9a-z]{1,10}$/;

/** The cursor of a page: the position of its last object in order of creation. Opaque to callers. */
export function formatCursor(seq: number): string {
  return `c${seq.toString(36)}`;
}

/**
 * The `seq` below which the page's objects are; without a cursor it is above every object.
 *
 * @throws {ServiceError} MALFORMED_REQUEST when the cursor is not one of ours
 */
export function parseCursor(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  if (!cursorPattern.test(cursor)) {
    throw new ServiceError('MALFORMED_REQUEST', 'cursor: must come from a Link header');
  }
  return Number.parseInt(cursor.slice(1), 36);
}
