import { type BrowserWindow, dialog } from 'electron';
import { reportFault } from '../service/lib/faults.ts';
import { describeClosing } from './closing-words.ts';

/** What is asked before the window closes. */
interface Question {
  message: string;
  detail: string;
  /** The answers that keep the window and that close it. */
  keep: string;
  close: string;
}

const unsavedQuestion: Question = {
  message: 'Your changes to the settings are not saved.',
  detail: 'Closing Tallylight discards them.',
  keep: 'Keep editing',
  close: 'Discard and close',
};

/**
 * Asks before the window is closed while streams are on air, or may be, whose viewers would lose the picture; and while the page
 * holds what is not saved: a browser asks that by itself, Electron keeps the window open without a word.
 *
 * @param onAirNames names of the streams on air at the moment, undefined where that is not known.
 * @returns lets the window close unasked from now on.
 */
export function askBeforeClosing(window: BrowserWindow, onAirNames: () => readonly string[] | undefined): () => void {
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
        if (!isAgreed) return;
        onAgreed();
        window.close();
      })
      .catch((error: unknown) => reportFault(error, 'asking before the window closes'));
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
  // Here the default is to stay. A page that is loaded anew, while developing, goes.
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
