import { beatIntervalMs } from '../../shared/heartbeat.ts';
import { createListeners } from '../../shared/listeners.ts';
import { heartbeatPatienceMs } from './heartbeat.ts';

/**
 * How far behind the service's clock must seem before that is believed, in milliseconds: travel time has the same effect.
 */
const behindMs = 1_500;
/** How far ahead it must seem, in milliseconds: no message arrives early, so this only keeps what is shown from changing all the time. */
const aheadMs = 50;
/** Messages that come closer together than this, in milliseconds, have waited. */
const burstMs = beatIntervalMs / 2;

/** How far the service's clock is ahead of the page's, in milliseconds. */
export interface ServiceClock {
  /** From the newest message, less its travel time, which varies from about 2 to 40 ms. */
  newestOffsetMs(): number;
  /** Changes only when it is known better or the clocks drift apart, so a displayed time of day rarely jumps. */
  steadyOffsetMs(): number;
  /** Calls `listener` when the steady offset changes; returns the undo. */
  onChange(listener: () => void): () => void;
}

/** Before the first message, the page's clock is used. */
export function createServiceClock(): ServiceClock & { note(serviceNowMs: number, receivedAtMs: number): void } {
  const listeners = createListeners();
  let newestMs = 0;
  let steadyMs = 0;
  let lastAtMs: number | undefined;
  let hasSlept = false;
  return {
    newestOffsetMs: () => newestMs,
    steadyOffsetMs: () => steadyMs,
    onChange: listeners.on,
    note(serviceNowMs, receivedAtMs) {
      const gapMs = receivedAtMs - (lastAtMs ?? receivedAtMs);
      lastAtMs = receivedAtMs;
      // After such a gap, the page probably slept, and reads what has waited for it.
      if (gapMs > heartbeatPatienceMs) hasSlept = true;
      else if (gapMs > burstMs) hasSlept = false;
      const offsetMs = serviceNowMs - receivedAtMs;
      // By a message that has waited, the service's clock seems to be behind by as long.
      if (hasSlept && offsetMs < newestMs) return;
      newestMs = offsetMs;
      if (newestMs - steadyMs < aheadMs && steadyMs - newestMs < behindMs) return;
      steadyMs = newestMs;
      listeners.emit();
    },
  };
}
