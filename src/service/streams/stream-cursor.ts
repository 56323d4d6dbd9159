import { ServiceError } from '../../shared/errors.ts';

/** What a cursor looks like. */
export const cursorPattern = /^c[0-9a-z]{1,10}$/;

/** A page's cursor: the place of its last object in the order of creation. Callers are to treat it as opaque. */
export function formatCursor(seq: number): string {
  return `c${seq.toString(36)}`;
}

/**
 * The `seq` that a page's objects come before; without a cursor, beyond every object.
 *
 * @throws {ServiceError} MALFORMED_REQUEST when it is none of ours.
 */
export function parseCursor(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  if (!cursorPattern.test(cursor)) {
    throw new ServiceError('MALFORMED_REQUEST', 'cursor: must come from a Link header');
  }
  return Number.parseInt(cursor.slice(1), 36);
}
