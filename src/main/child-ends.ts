import { app } from 'electron';
import type { Logger } from '../service/ports.ts';

/**
 * Logs each end of a process that Chromium runs beside the pages: its GPU process, and utilities such as its sound. Chromium restarts
 * them; if it can't start its GPU process, it ends the app, and this line is the only explanation.
 */
export function logChildEnds(log: Logger): void {
  app.on('child-process-gone', (_event, { type, name, reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    log.error({ type, process: name, reason, exitCode }, 'A process of Chromium has ended');
  });
}
