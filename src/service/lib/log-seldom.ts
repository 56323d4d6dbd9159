import type { Logger } from '../ports.ts';

/** Whoever is refused tries again at once: a line for each would push everything else out of the log. */
const windowMs = 10_000;

export type SeldomWarning = (details: object, sentence: string) => void;

/** Warns (or says it as `log` does, where that is a function) `burst` times in 10 s at most; `more` is how many warnings were left out before this one. */
export function createSeldomWarning(log: Logger | SeldomWarning, now: () => number, burst = 1): SeldomWarning {
  const say: SeldomWarning = typeof log === 'function' ? log : (details, sentence) => log.warn(details, sentence);
  let windowFrom = Number.NEGATIVE_INFINITY;
  let said = 0;
  let more = 0;
  return (details, sentence) => {
    // A clock that was set back begins the next window.
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
