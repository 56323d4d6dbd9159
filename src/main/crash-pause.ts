/** A page that crashes more often than this within a minute is not loaded again by itself. */
const maxCrashes = 5;

/**
 * How long to wait before the page is loaded again after its `crashes`th crash within a minute: at once, then 1 s, doubling, so that
 * a page that crashes as it loads takes no processor from the broadcast. Undefined: ask instead.
 */
export function crashPauseMs(crashes: number): number | undefined {
  if (crashes > maxCrashes) return undefined;
  return crashes <= 1 ? 0 : 1_000 * 2 ** (crashes - 2);
}
