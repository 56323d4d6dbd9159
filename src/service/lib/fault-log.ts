import type { Logger } from '../ports.ts';
import type { Fault } from './faults.ts';
import { createSeldomWarning, type SeldomWarning } from './log-seldom.ts';

/** A fault of what runs each second, for each stream, would push everything else out of the log. */
const burst = 5;

/** Tells the log of faults: of those that show themselves while the same is done, five in 10 s. */
export function createFaultLog(log: Logger, now: () => number = () => performance.now()): (fault: Fault) => void {
  const says = new Map<string, SeldomWarning>();
  return ({ error, during }) => {
    const say = says.get(during) ?? createSeldomWarning((details, sentence) => log.error(details, sentence), now, burst);
    says.set(during, say);
    say({ err: error, during }, 'a fault of Tallylight was kept from spreading');
  };
}
