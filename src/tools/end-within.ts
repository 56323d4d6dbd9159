import type { ChildProcess } from 'node:child_process';

/** Hosts close everything in under 5 s; one that does not is ended by force in that time. */
const graceMs = 4_700;

/** Asks a host to end, and ends it by force when it does not in time. */
export function endWithin(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const stubborn = setTimeout(() => child.kill('SIGKILL'), graceMs);
  child.once('exit', () => clearTimeout(stubborn));
}
