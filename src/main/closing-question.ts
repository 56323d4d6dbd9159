import { type BrowserWindow, dialog } from 'electron';
import { reportFault } from '../service/lib/faults.ts';
import { describeClosing } from './closing-words.ts';

/** A question to ask before the window closes. */
interface Question {
  message: string;
  detail: string;
  /** Labels of the buttons that keep and close the window. */
  keep: string;
  close: string;
}

const unsavedQuestion: Question = {
  message: "Your changes to the settings aren't saved.",
  detail: 'Closing Tallylight discards them.',
  keep: 'Keep editing',
  close: 'Discard and close',
};

/**
 * Asks before the window closes while streams are, or may be, on air, since viewers would lose the picture, and while the page
 * has unsaved edits: a browser asks that itself, but Electron silently keeps the window open.
 *
 * @param options.onAirNames names of the streams on air right now, undefined if unknown.
 * @param options.onKept called when the user chose to keep the window.
 * @returns lets the window close without asking from now on.
 */
export function askBeforeClosing(
  window: BrowserWindow,
  { onAirNames, onKept }: { onAirNames: () => readonly string[] | undefined; onKept: () => void },
): () => void {
  let mayClose = false;
  let mayDiscard = false;
  let isAsking = false;
  let isClosing = false;

  const closeIfAgreed = (question: Question, onAgreed: () => void) => {
    isClosing = false;
    if (isAsking) return;
    isAsking = true;
    ask(window, question)
      .finally(() => {
        isAsking = false;
        mayDiscard = false;
      })
      .then((isAgreed) => {
        if (!isAgreed) return onKept();
        onAgreed();
        window.close();
      })
      .catch((error: unknown) => reportFault(error, 'asking before closing the window'));
  };
  window.on('close', (event) => {
    isClosing = true;
    const onAir = describeClosing(onAirNames());
    if (mayClose || onAir === undefined) return;
    event.preventDefault();
    closeIfAgreed({ ...onAir, keep: 'Keep streaming', close: 'Stop and quit' }, () => {
      mayClose = true;
    });
  });
  // Here the default is to stay. A reload during development proceeds.
  window.webContents.on('will-prevent-unload', (event) => {
    if (mayClose || mayDiscard || !isClosing) event.preventDefault();
    else
      closeIfAgreed(unsavedQuestion, () => {
        mayDiscard = true;
      });
  });
  return () => {
    mayClose = true;
  };
}

async function ask(window: BrowserWindow, { message, detail, keep, close }: Question): Promise<boolean> {
  const buttons = [keep, close];
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Tallylight',
    message,
    detail,
    buttons,
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return buttons[response] === close;
}
