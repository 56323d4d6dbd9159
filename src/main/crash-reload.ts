import { app, type BrowserWindow } from 'electron';
import type { Logger } from '../service/ports.ts';
import { RecentTimes } from '../shared/recent-times.ts';
import { ask } from './ask.ts';
import { crashPauseMs } from './crash-pause.ts';

/**
 * Reloads the page when its process crashes; broadcasts run in another process and continue. If the user reloads the page
 * first, nothing more happens: another reload would discard their edits.
 *
 * @param giveUp called when the page keeps crashing; by default the user is asked.
 * @returns call it when the window stays open after a quit: a page that was left crashed is reloaded.
 */
export function reloadAfterCrash(window: BrowserWindow, log: Logger, giveUp?: () => void): () => void {
  const crashes = new RecentTimes(60_000);
  let timer: NodeJS.Timeout | undefined;
  let isLeftCrashed = false;
  let asking: AbortController | undefined;

  const reload = () => {
    if (!window.isDestroyed()) window.webContents.reload();
  };
  const startOver = () => {
    isLeftCrashed = false;
    crashes.forget();
    reload();
  };
  const askInstead = async () => {
    asking = new AbortController();
    const { signal } = asking;
    const isWanted = await askToLoadAgain(window, signal);
    if (signal.aborted) return;
    if (isWanted) {
      startOver();
    } else {
      isLeftCrashed = true;
      app.quit();
    }
  };
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    const pauseMs = crashPauseMs(crashes.add(performance.now()));
    log.error({ reason, pauseMs }, 'The page crashed; broadcasts continue');
    clearTimeout(timer);
    if (pauseMs !== undefined) timer = setTimeout(reload, pauseMs);
    else if (giveUp !== undefined) giveUp();
    else askInstead().catch((error: unknown) => log.error({ err: error }, 'Could not ask whether to reload the page'));
  });
  window.webContents.on('did-navigate', () => {
    clearTimeout(timer);
    asking?.abort();
    isLeftCrashed = false;
  });
  window.once('closed', () => clearTimeout(timer));
  return () => {
    if (isLeftCrashed) startOver();
  };
}

async function askToLoadAgain(window: BrowserWindow, signal: AbortSignal): Promise<boolean> {
  const pressed = await ask(window, {
    type: 'error',
    message: 'The screens keep crashing.',
    detail: 'Your broadcasts continue without them. If it happens again, update your graphics driver. The log has details.',
    buttons: ['Reload the screens', 'Quit'],
    signal,
  });
  return pressed !== 'Quit';
}
