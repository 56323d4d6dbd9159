import { type BrowserWindow, dialog } from 'electron';
import { reportFault } from '../service/lib/faults.ts';

/**
 * Asks before the window is closed while streams are on air: their viewers would lose the picture.
 *
 * @param onAirNames names of the streams on air at the moment; none, and the window closes unasked.
 * @returns lets the window close unasked from now on.
 */
export function askBeforeClosing(window: BrowserWindow, onAirNames: () => readonly string[]): () => void {
  let mayClose = false;
  let asking = false;

  window.on('close', (event) => {
    const names = onAirNames();
    if (mayClose || names.length === 0) return;
    event.preventDefault();
    if (asking) return;
    asking = true;
    ask(window, names)
      .then((stop) => {
        if (!stop) return;
        mayClose = true;
        window.close();
      })
      .catch((error: unknown) => reportFault(error, 'asking before the window closes'))
      .finally(() => {
        asking = false;
      });
  });
  return () => {
    mayClose = true;
  };
}

async function ask(window: BrowserWindow, names: readonly string[]): Promise<boolean> {
  const buttons = ['Keep streaming', 'Stop and quit'];
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Tallylight',
    message: 'You are on air.',
    detail: `${names.join(', ')}: closing Tallylight ends the stream for everyone watching.`,
    buttons,
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return buttons[response] === 'Stop and quit';
}
