import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Kills a child process, unless it never started or has ended, and resolves when it is gone. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
