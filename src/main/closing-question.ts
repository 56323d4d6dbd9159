import { type BrowserWindow, dialog } from 'electron';
import { reportFault } from '../service/lib/faults.ts';
import { describeClosing } from './closing-words.ts';

/**
 * Asks before the window is closed while streams are on air, or may be: their viewers would lose the picture.
 *
 * @param onAirNames names of the streams on air at the moment, undefined where that is not known; none, and the window closes unasked.
 * @returns lets the window close unasked from now on.
 */
export function askBeforeClosing(window: BrowserWindow, onAirNames: () => readonly string[] | undefined): () => void {
  let mayClose = false;
  let asking = false;

  window.on('close', (event) => {
    const question = describeClosing(onAirNames());
    if (mayClose || question === undefined) return;
    event.preventDefault();
    if (asking) return;
    asking = true;
    ask(window, question)
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

async function ask(window: BrowserWindow, question: { message: string; detail: string }): Promise<boolean> {
  const buttons = ['Keep streaming', 'Stop and quit'];
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Tallylight',
    ...question,
    buttons,
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return buttons[response] === 'Stop and quit';
}
