import type { ChildProcess } from 'node:child_process';
import { killChild } from '../service/lib/kill-child.ts';

/** Hosts close in under 5 s; one that does not is killed by then. */
const graceMs = 4_700;

/** Asks a host to end, and kills it if it does not in time. */
export function endWithin(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  killChild(child, 'SIGTERM');
  const stubborn = setTimeout(() => killChild(child, 'SIGKILL'), graceMs);
  child.once('exit', () => clearTimeout(stubborn));
}
