/** Whether a process exists, whoever's it is. */
export function isRunning(pid: number): boolean {
  try {
    // biome-ignore lint/plugin: 0 is no signal, it only asks.
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
