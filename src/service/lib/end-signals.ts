/** The parts of a process that decide what ends it. */
type SignalledProcess = Pick<NodeJS.Process, 'on'> & Record<'stdin' | 'stdout', { isTTY?: boolean }>;

/**
 * Calls `end` at SIGINT and SIGTERM, and at SIGHUP if the process runs in a terminal, which has then been closed.
 *
 * `nohup` detaches input and output from the terminal and makes the process ignore SIGHUP, but Node resets that at its start. So without
 * a terminal an empty handler ignores SIGHUP; with no handler it would end the process.
 */
export function onEndSignals(process: SignalledProcess, end: () => void): void {
  const isInTerminal = [process.stdin, process.stdout].some(({ isTTY }) => isTTY);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  process.on('SIGHUP', isInTerminal ? end : () => {});
}
