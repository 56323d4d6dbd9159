import type { BrowserWindow } from 'electron';
import type { Logger } from '../service/ports.ts';
import { ask } from './ask.ts';

/**
 * Asks whether to reload the screens while their page hangs: an ordinary reload would wait for that page, and a quit would end the
 * broadcasts. The page's process is ended, and the page is then reloaded as after a crash ({@link reloadAfterCrash}). The question
 * closes once the page responds again.
 */
export function askWhileHanging(window: BrowserWindow, log: Logger): void {
  const { webContents } = window;
  let asking: AbortController | undefined;

  const askOnce = async () => {
    if (asking !== undefined) return;
    log.error('The page hangs; broadcasts continue');
    asking = new AbortController();
    try {
      if ((await askToReload(window, asking.signal)) && !window.isDestroyed()) webContents.forcefullyCrashRenderer();
    } finally {
      asking = undefined;
    }
  };
  webContents.on('unresponsive', () => {
    askOnce().catch((error: unknown) => log.error({ err: error }, 'Could not ask whether to reload a page that hangs'));
  });
  webContents.on('responsive', () => asking?.abort());
  webContents.on('render-process-gone', () => asking?.abort());
}

async function askToReload(window: BrowserWindow, signal: AbortSignal): Promise<boolean> {
  const pressed = await ask(window, {
    type: 'warning',
    message: "The screens don't respond.",
    detail: "Your broadcasts continue. Reloading the screens discards changes that aren't saved.",
    buttons: ['Wait', 'Reload the screens'],
    signal,
  });
  return pressed === 'Reload the screens';
}
