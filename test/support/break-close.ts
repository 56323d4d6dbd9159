/** `NODE_OPTIONS` for a host in which SIGUSR2 causes a bug. */
export const bugOnSignal = formatPreload(`
  process.on('SIGUSR2', () => { throw new Error('A bug.'); });
`);

/** `NODE_OPTIONS` for a host whose store cannot be closed, and in which SIGUSR2 causes a bug. */
export const breakClose = formatPreload(`
  import { DatabaseSync } from 'node:sqlite';
  DatabaseSync.prototype.close = () => { throw new Error('The store cannot be closed.'); };
  process.on('SIGUSR2', () => { throw new Error('A bug.'); });
`);

/**
 * `NODE_OPTIONS` for a host in which a thread of libuv's pool waits forever, as for a keychain that asks its user.
 *
 * @param fifo a FIFO (mkfifo(3)) that nobody writes to
 */
export const blockThread = (fifo: string) =>
  formatPreload(`
    import { open } from 'node:fs/promises';
    import { isMainThread } from 'node:worker_threads';
    if (isMainThread) open(${JSON.stringify(fifo)});
  `);

function formatPreload(code: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}
