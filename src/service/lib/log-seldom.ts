import type { Logger } from '../ports.ts';

/** Refused peers retry at once: a line for each would push everything else out of the log. */
const windowMs = 10_000;

export type SeldomWarning = (details: object, sentence: string) => void;

/** A log whose lines are limited in number. */
export interface SeldomLog {
  info: SeldomWarning;
  warn: SeldomWarning;
}

/** Returns a function that warns (or calls `log`, if that is a function) at most `burst` times in 10 s. `more` in a line counts warnings omitted before it. */
export function createSeldomWarning(log: Logger | SeldomWarning, now: () => number, burst = 1): SeldomWarning {
  const say: SeldomWarning = typeof log === 'function' ? log : (details, sentence) => log.warn(details, sentence);
  return createLimit(now, burst)(say);
}

/** The same for a log: at most `burst` lines in 10 s, of all levels together. */
export function createSeldomLog(log: Logger, now: () => number, burst: number): SeldomLog {
  const limit = createLimit(now, burst);
  return {
    info: limit((details, sentence) => log.info(details, sentence)),
    warn: limit((details, sentence) => log.warn(details, sentence)),
  };
}

/** Returns a function that limits loggers: all that it wraps share one count. */
function createLimit(now: () => number, burst: number): (say: SeldomWarning) => SeldomWarning {
  let windowFrom = Number.NEGATIVE_INFINITY;
  let said = 0;
  let more = 0;
  return (say) => (details, sentence) => {
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
