import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';

/**
 * How long an address has to answer before `fetch` gives it up for the next one, in milliseconds: enough for a lost packet, which the
 * system sends again after 1 s, and two that never answer leave a third time, since we wait 5 s for an answer. Each new connection waits
 * this long where an address leads nowhere.
 */
const attemptTimeoutMs = 2_000;

/**
 * Lets `fetch` wait for an address that is slow to answer, in all of this process. Node gives each but the last 250 ms: with an IPv6
 * address after it that can't be reached from here, the host seems to be gone.
 */
export function waitForSlowAddresses(): void {
  setDefaultAutoSelectFamilyAttemptTimeout(attemptTimeoutMs);
}
