import { type BrowserWindow, powerMonitor } from 'electron';

/**
 * Calls `end` when the process is to end for a reason that waits for no answer: a signal, the end of the Windows session, or the
 * system shutting down.
 *
 * Windows may end the process as soon as the handlers have returned: what was not closed by then, the next start puts in order.
 *
 * To be called once the app is ready: Electron then puts its own handlers of SIGINT and SIGTERM in place of those there are.
 */
export function onSystemEnd(end: () => void): { watch(window: BrowserWindow): void } {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  // Linux and macOS wait a little for who prevents the default.
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault();
    end();
  });
  return {
    watch(window) {
      window.on('session-end', end);
    },
  };
}
