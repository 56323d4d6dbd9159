import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';

/**
 * How long `fetch` waits for one address before it tries the next, in milliseconds. That is enough for a lost packet, which the system
 * resends after 1 s, and short enough that after two dead addresses a third still gets a try within the 5 s that we wait for an answer.
 * Each new connection to a host with a dead address takes this much longer.
 */
const attemptTimeoutMs = 2_000;

/**
 * Makes `fetch` wait longer for slow addresses, in the whole process. By default Node waits 250 ms for each address but the last; if an
 * unreachable IPv6 address follows a slow one, the host seems to be gone.
 */
export function waitForSlowAddresses(): void {
  setDefaultAutoSelectFamilyAttemptTimeout(attemptTimeoutMs);
}
