import type { ChildProcess } from 'node:child_process';
import { killChild } from '../service/lib/kill-child.ts';

/** Hosts close in under 5 s; one that does not is killed by then. */
const graceMs = 4_700;

/** Asks a host to end, and kills it if it does not in time. */
export function endWithin(child: ChildProcess, platform: NodeJS.Platform = process.platform) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  askToEnd(child, platform);
  const stubborn = setTimeout(() => killChild(child, 'SIGKILL'), graceMs);
  child.once('exit', () => clearTimeout(stubborn));
}

/**
 * Windows has no signal that asks: SIGTERM kills outright. A child with a channel to this process ends when that closes; any other child
 * has had the console's Ctrl-C, like this process.
 */
function askToEnd(child: ChildProcess, platform: NodeJS.Platform): void {
  if (platform !== 'win32') killChild(child, 'SIGTERM');
  else if (child.connected) child.disconnect();
}
