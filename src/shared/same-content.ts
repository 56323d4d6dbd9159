/** Whether two values have the same JSON. */
export function hasSameContent(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
