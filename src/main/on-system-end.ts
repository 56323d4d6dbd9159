import { type BrowserWindow, powerMonitor } from 'electron';

/**
 * Calls `end` when the process must end without asking: a signal, the end of `npm start` on Windows, whose channel then closes, the end
 * of the Windows session, or a system shutdown.
 *
 * Windows may end the process as soon as the handlers return; the next start cleans up what was left open.
 *
 * Call it once the app is ready: before that, Electron replaces the handlers of SIGINT and SIGTERM with its own.
 */
export function onSystemEnd(end: () => void): { watch(window: BrowserWindow): void } {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  process.on('disconnect', end);
  if (process.connected === false) end();
  // Linux and macOS wait a little if the default is prevented.
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
