import type { Logger } from '../ports.ts';

/** Refused peers retry at once: a line for each would push everything else out of the log. */
const windowMs = 10_000;

export type SeldomWarning = (details: object, sentence: string) => void;

/** Returns a function that warns (or calls `log`, if that is a function) at most `burst` times in 10 s. `more` in a line counts warnings omitted before it. */
export function createSeldomWarning(log: Logger | SeldomWarning, now: () => number, burst = 1): SeldomWarning {
  const say: SeldomWarning = typeof log === 'function' ? log : (details, sentence) => log.warn(details, sentence);
  let windowFrom = Number.NEGATIVE_INFINITY;
  let said = 0;
  let more = 0;
  return (details, sentence) => {
    // If the clock is set back, start a new window.
    if (Math.abs(now() - windowFrom) >= windowMs) {
      windowFrom = now();
      said = 0;
    }
    if (said === burst) {
      more += 1;
      return;
    }
    say({ ...details, ...(more > 0 && { more }) }, sentence);
    said += 1;
    more = 0;
  };
}
