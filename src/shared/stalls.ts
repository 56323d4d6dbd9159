/** Stalls of a picture, and for how long it stood still in all. */
export interface Stalls {
  stalls: number;
  stalledSeconds: number;
}

/** How far back stalls are trouble, in milliseconds. */
export const recentStallMs = 60_000;

/** A picture that stands still for this long is trouble, in seconds. */
export const heldWarnSeconds = 1;

/** Whether stalls of the last minute are trouble: a single hiccup that few would notice is none. */
export function areTrouble({ stalls, stalledSeconds }: Stalls): boolean {
  return stalls >= 2 || stalledSeconds >= heldWarnSeconds;
}
