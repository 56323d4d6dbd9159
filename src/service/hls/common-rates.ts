/** Rates of films, TV and screens, in frames per second. */
const wholeRates = [24, 25, 30, 48, 50, 60, 120];
/** Those of NTSC are lower by a thousandth. */
const ntscRates = [24_000, 30_000, 60_000, 120_000].map((ticks) => ticks / 1001);

/**
 * Rates to try on single frames, of which the first that fits counts. Whole ones come first: over a few frames they look like their
 * neighbours of NTSC. Rare ones come last.
 */
export const ratesToTry: readonly number[] = [...wholeRates, ...ntscRates, ...[10, 12, 15, 20, 90, 100]];

/** Rates that an average is rounded to, ascending: the nearest counts, and of two that are equally near the lower one. */
export const ratesToRoundTo: readonly number[] = [...wholeRates, ...ntscRates].sort((one, other) => one - other);
