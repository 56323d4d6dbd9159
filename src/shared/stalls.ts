/** How often the picture stalled, and for how long in total. */
export interface Stalls {
  stalls: number;
  stalledSeconds: number;
}

/** How far back stalls count as trouble, in milliseconds. */
export const recentStallMs = 60_000;

/** A stall at least this long is trouble, in seconds. */
export const heldWarnSeconds = 1;

/** Whether the last minute's stalls are trouble. A single short hiccup, which few would notice, is not. */
export function areTrouble({ stalls, stalledSeconds }: Stalls): boolean {
  return stalls >= 2 || stalledSeconds >= heldWarnSeconds;
}
