import { createSystemClock } from '../../src/service/lib/system-clock.ts';
import type { Clock } from '../../src/service/ports.ts';

/** No step of a steady clock is longer than this, in milliseconds: less than a pause that counts. */
const longestStepMs = 500;

/** A clock without pauses but those that the test makes: it doesn't count how long this process really paused. */
export function createSteadyClock(): { clock: Clock; pause: (ms: number) => void } {
  const system = createSystemClock();
  let aheadMs = 0;
  let readAtMs = system.monotonicMs();
  const step = () => {
    const nowMs = system.monotonicMs();
    aheadMs -= Math.max(0, nowMs - readAtMs - longestStepMs);
    readAtMs = nowMs;
    return aheadMs;
  };
  return {
    clock: { now: () => system.now() + step(), monotonicMs: () => system.monotonicMs() + step() },
    pause: (ms) => {
      aheadMs += ms;
    },
  };
}
