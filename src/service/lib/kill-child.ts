import type { ChildProcess } from 'node:child_process';
import { basename } from 'node:path';

/**
 * Sends a signal to a child process, unless it never started or has ended; returns whether it was sent.
 *
 * Never call `child.kill` of a child that may not have started: until its `error` event, Node (24.21) passes uninitialised memory as its
 * pid to kill(2). That can be any process, the whole group of this one (0), or every process of the user (−1).
 */
export function killChild(child: ChildProcess, signal: NodeJS.Signals): boolean {
  return child.pid !== undefined && child.kill(signal);
}

/** How long a child may take to end once it is killed. A child blocked in a hanging driver ends late or never. */
const endGraceMs = 2_000;

/**
 * Kills a child process and closes our ends of its pipes; unread data is lost. The child may be a script or a shim that has started the
 * real program, which the signal doesn't reach. Without pipes, that program ends at its next read or write, and nobody waits for its
 * pipes.
 *
 * @param onStuck called with a sentence for the log if the child is still running 2 s later; stop waiting for it then
 */
export function killWithPipes(child: ChildProcess, onStuck: (fault: string) => void): void {
  if (child.pid === undefined) return;
  child.kill('SIGKILL');
  for (const pipe of child.stdio) pipe?.destroy();
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => {
    child.unref();
    onStuck(`${basename(child.spawnfile)} was still running ${endGraceMs / 1000} s after it was killed.`);
  }, endGraceMs);
  child.once('exit', () => clearTimeout(timer));
}
