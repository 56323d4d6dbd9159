/** The first value of an event iterator that satisfies `is`; ends the iteration. Throws when it ends without one. */
export async function waitUntil<Value>(values: AsyncIterable<Value>, is: (value: Value) => boolean): Promise<Value> {
  for await (const value of values) {
    if (is(value)) return value;
  }
  throw new Error('The values ended before one matched.');
}
