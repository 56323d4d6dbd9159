import type { StreamLive } from '../../src/shared/model/views.ts';
import { describeFailure } from '../../src/shared/words/failure-words.ts';

/** The state of the way to the ingest as a broadcast's owner reads it. Filled while {@link followOwner} runs. */
export interface OwnerReading {
  /** Why it couldn't reconnect, or failed, in order, with `n` for each number. The causes of the losses are in the log. */
  failures: string[];
  /** When each attempt to reconnect was due, in epoch milliseconds. */
  retriesAt: number[];
}

/** Follows a stream as its owner reads it, until the watch is aborted. */
export async function followOwner(lives: AsyncIterable<StreamLive>, reading: OwnerReading): Promise<void> {
  let attempt: number | undefined;
  try {
    for await (const { oneClick } of lives) {
      if (oneClick.kind === 'retrying' && oneClick.attempt !== attempt) reading.retriesAt.push(oneClick.retryAt);
      // The time of one attempt differs by a fraction of a millisecond each time it is read.
      attempt = oneClick.kind === 'retrying' ? oneClick.attempt : undefined;
      if (oneClick.kind === 'failed' || (oneClick.kind === 'retrying' && oneClick.attempt > 1))
        addNews(reading.failures, withoutNumbers(describeFailure(oneClick.failure)));
    }
  } catch {
    // The watch was aborted.
  }
}

function addNews<Value>(list: Value[], value: Value): void {
  if (list.at(-1) !== value) list.push(value);
}

/** With `n` for each number, plain spaces before units, and `address` for one of the test's own. */
export function withoutNumbers(text: string): string {
  return text
    .replace(/127\.0\.0\.\d+:\d+/g, 'address')
    .replace(/\d+(\.\d+)?/g, 'n')
    .replaceAll('\u00a0', ' ');
}
