/** A terminal on which a person reads. */
export interface Terminal extends NodeJS.WritableStream {
  readonly writableLength?: number;
}

/** What may wait for a terminal that stands still. */
const maxWaiting = 512 * 1024;

/**
 * Keeps a terminal from holding up the process: Node writes to terminals blocking (nodejs.org/api/process.html, "A note on process
 * I/O"), and Ctrl-S stops one until Ctrl-Q. The handle has no public name; where it has another shape the terminal stays as it is.
 */
export function keepFromBlocking(terminal: object): void {
  const { _handle: handle } = terminal as { _handle?: { setBlocking?: (isBlocking: boolean) => void } };
  handle?.setBlocking?.(false);
}

/** Writes lines to a terminal; those that come while it stands still are dropped beyond a bound, and then `tellDropped`. */
export function openTerminalLines(terminal: Terminal, tellDropped: (count: number) => string): (line: string) => void {
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
