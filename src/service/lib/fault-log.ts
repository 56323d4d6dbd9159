import type { Logger } from '../ports.ts';
import type { Fault } from './faults.ts';
import { createSeldomWarning, type SeldomWarning } from './log-seldom.ts';

/** Log lines per window: a fault in per-second, per-stream work would otherwise push everything else out of the log. */
const burst = 5;

/** Returns a function that logs faults, at most five in 10 s for each kind of work. */
export function createFaultLog(log: Logger, now: () => number = () => performance.now()): (fault: Fault) => void {
  const says = new Map<string, SeldomWarning>();
  return ({ error, during }) => {
    const say = says.get(during) ?? createSeldomWarning((details, sentence) => log.error(details, sentence), now, burst);
    says.set(during, say);
    say({ err: error, during }, 'An internal error was contained.');
  };
}
