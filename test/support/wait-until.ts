import { inspect } from 'node:util';

/** Less than any test's own timeout, so that the missing event is reported and not just the test. */
const patienceMs = 60_000;

/** The values of an iterator that stays open when a loop over them ends, until `return` is called on it. */
export function holdOpen<Value>(iterator: AsyncIterator<Value>): AsyncIterable<Value> {
  return { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) };
}

/**
 * The first value of an event iterator that satisfies `is`; ends the iteration. Throws when it ends without one, and after a minute,
 * with the last value.
 */
export async function waitUntil<Value>(values: AsyncIterable<Value>, is: (value: Value) => boolean): Promise<Value> {
  const late = Promise.withResolvers<never>();
  let last: unknown = 'none';
  const timer = setTimeout(
    () => late.reject(new Error(`No value matched for a minute. The last one: ${inspect(last)}`)),
    patienceMs,
  );
  const find = async () => {
    for await (const value of values) {
      last = value;
      if (is(value)) return value;
    }
    throw new Error('The values ended before one matched.');
  };
  try {
    return await Promise.race([find(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
