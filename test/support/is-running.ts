/** Whether a process exists, even another user's. */
export function isRunning(pid: number): boolean {
  try {
    // biome-ignore lint/plugin: signal 0 only checks whether the process exists.
    return process.kill(pid, 0);
  } catch (error) {
    // It is another user's process.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
