/** A terminal with a human reader. */
export interface TerminalStream extends NodeJS.WritableStream {
  readonly writableLength?: number;
}

/** Most bytes waiting for a paused terminal. */
const maxWaiting = 512 * 1024;

/**
 * Keeps a terminal from blocking the process: Node writes to terminals synchronously (nodejs.org/api/process.html, "A note on process
 * I/O"), and Ctrl-S pauses one until Ctrl-Q.
 */
export function keepFromBlocking(terminal: object): void {
  setBlocking(terminal, false);
}

/**
 * Sets whether reads and writes block (O_NONBLOCK, open(2)), for every process that shares the stream's open file. The handle is not
 * public API; a stream whose handle looks different is left as is.
 */
export function setBlocking(stream: object, isBlocking: boolean): void {
  const { _handle: handle } = stream as { _handle?: { setBlocking?: (isBlocking: boolean) => void } | null };
  handle?.setBlocking?.(isBlocking);
}

/** Returns a function that writes lines to a terminal. Beyond a limit, lines for a paused terminal are dropped; `tellDropped` formats their count. */
export function openTerminalLines(terminal: TerminalStream, tellDropped: (count: number) => string): (line: string) => void {
  keepFromBlocking(terminal);
  let dropped = 0;
  return (line) => {
    if ((terminal.writableLength ?? 0) > maxWaiting) {
      dropped += 1;
      return;
    }
    if (dropped > 0) terminal.write(tellDropped(dropped));
    dropped = 0;
    terminal.write(line);
  };
}
