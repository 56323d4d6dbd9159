import type { ChildProcess } from 'node:child_process';

/**
 * Sends a signal to a child process, unless it never started or has ended; returns whether it was sent.
 *
 * Never call `child.kill` of one that may not have started: until its `error` event, Node (24.21) passes uninitialised memory as its pid
 * to kill(2). That can be any process, the whole group of this one (0), or every process of the user (−1).
 */
export function killChild(child: ChildProcess, signal: NodeJS.Signals): boolean {
  return child.pid !== undefined && child.kill(signal);
}

/**
 * Kills a child process and closes our ends of its pipes; what they still hold is lost. A child may be a script or a shim that has started the
 * real program, which the signal doesn't reach: without its pipes, that one ends as soon as it reads or writes, and its pipes keep nobody
 * waiting.
 */
export function killWithPipes(child: ChildProcess): void {
  if (child.pid === undefined) return;
  child.kill('SIGKILL');
  for (const pipe of child.stdio) pipe?.destroy();
}
