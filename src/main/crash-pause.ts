/** After more crashes than this within a minute, a page isn't reloaded automatically. */
const maxCrashes = 5;

/**
 * How long to wait before reloading the page after its `crashes`th crash within a minute: none at first, then 1 s, doubling, so
 * that a page that crashes on load doesn't take CPU from the broadcast. Undefined means ask instead.
 */
export function crashPauseMs(crashes: number): number | undefined {
  if (crashes > maxCrashes) return undefined;
  return crashes <= 1 ? 0 : 1_000 * 2 ** (crashes - 2);
}
