/** The format of a cursor. */
export const cursorPattern = /^c[0-9a-z]{1,10}$/;

/** The cursor of a page: the position of its last object in order of creation. Opaque to callers. */
export function formatCursor(seq: number): string {
  return `c${seq.toString(36)}`;
}

/**
 * The `seq` below which the page's objects are; without a cursor it is above every object.
 *
 * @param cursor one that matches {@link cursorPattern}
 */
export function parseCursor(cursor: string | undefined): number {
  return cursor === undefined ? Number.MAX_SAFE_INTEGER : Number.parseInt(cursor.slice(1), 36);
}
