/** The number in the middle, the upper one of two; undefined if there is none. */
export function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
}
