import { ChildProcess } from 'node:child_process';
import { onTestFinished, vi } from 'vitest';

/** Makes children survive their kill until the test has finished, like a process whose driver hangs in the kernel. */
export function surviveKill(): void {
  const kill = vi.spyOn(ChildProcess.prototype, 'kill').mockReturnValue(true);
  onTestFinished(() => {
    const survivors = new Set(kill.mock.contexts as ChildProcess[]);
    kill.mockRestore();
    for (const child of survivors) child.kill('SIGKILL');
  });
}
