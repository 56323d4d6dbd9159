/** A number and its unit, joined by a no-break space: they never stand on two lines. */
export function withUnit(number: number | string, unit: string): string {
  return `${number}\u00a0${unit}`;
}
