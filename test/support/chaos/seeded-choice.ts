/** Pseudo-random choices (mulberry32): the same seed gives the same choices. */
export interface SeededChoice {
  /** An integer from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  pick<Value>(values: readonly Value[]): Value;
}

export function chooseBySeed(seed: number): SeededChoice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    integer,
    pick: (values) => {
      const value = values[integer(0, values.length - 1)];
      if (value === undefined) throw new RangeError('There is nothing to choose from.');
      return value;
    },
  };
}
