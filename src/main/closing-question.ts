import type { BrowserWindow } from 'electron';
import { reportFault } from '../service/lib/faults.ts';
import { ask } from './ask.ts';
import { describeClosing } from './closing-words.ts';
import { bringToFront } from './window-front.ts';

/** A question to ask before leaving the page. */
interface Question {
  message: string;
  detail: string;
  /** Labels of the buttons that keep the page and that leave it. */
  keep: string;
  leave: string;
}

const unsaved = { message: "Your changes to the settings aren't saved.", keep: 'Keep editing' };
/** The questions while the page has unsaved edits. */
const unsavedQuestions: Record<'close' | 'reload', Question> = {
  close: { ...unsaved, detail: 'Closing Tallylight discards them.', leave: 'Discard and close' },
  reload: { ...unsaved, detail: 'Reloading the screens discards them.', leave: 'Discard and reload' },
};

/** The ways to leave a window's page; they ask first. */
export interface Leaving {
  /** Reloads the page as the user wants. Other reloads, after a crash or by the page itself, don't ask. */
  reload(): void;
  /** Lets the window close without asking from now on. */
  letClose(): void;
}

/**
 * Asks before the window closes while streams are, or may be, on air, since viewers would lose the picture, and before it closes or
 * reloads while the page has unsaved edits: a browser asks that itself, but Electron silently keeps the page.
 *
 * @param options.onAirNames names of the streams on air right now, undefined if unknown.
 * @param options.onKept called when the user chose to keep the window.
 */
export function askBeforeLeaving(
  window: BrowserWindow,
  { onAirNames, onKept }: { onAirNames: () => readonly string[] | undefined; onKept: () => void },
): Leaving {
  let mayClose = false;
  let mayDiscard = false;
  let isAsking = false;
  /** The user's wish for the page, until it is asked about or done. */
  let wanted: 'close' | 'reload' | undefined;

  const leaveIfAgreed = ({ message, detail, ...labels }: Question, leave: () => void) => {
    wanted = undefined;
    // A Dock or a taskbar can close a hidden window, whose question would be hidden, too.
    bringToFront(window);
    if (isAsking) return;
    isAsking = true;
    ask(window, { type: 'warning', message, detail, buttons: [labels.keep, labels.leave] })
      .finally(() => {
        isAsking = false;
        mayDiscard = false;
      })
      .then((pressed) => {
        if (pressed === labels.leave) leave();
        else onKept();
      })
      .catch((error: unknown) => reportFault(error, 'asking before the page goes'));
  };
  window.on('close', (event) => {
    wanted = 'close';
    const onAir = describeClosing(onAirNames());
    if (mayClose || onAir === undefined) return;
    event.preventDefault();
    leaveIfAgreed({ ...onAir, keep: 'Keep streaming', leave: 'Stop and quit' }, () => {
      mayClose = true;
      window.close();
    });
  });
  // By default, Electron keeps the page. Reloads that the user didn't ask for, by the page itself or during development, proceed.
  window.webContents.on('will-prevent-unload', (event) => {
    if (mayClose || mayDiscard || wanted === undefined) event.preventDefault();
    else if (wanted === 'reload') leaveIfAgreed(unsavedQuestions.reload, () => window.webContents.reload());
    else
      leaveIfAgreed(unsavedQuestions.close, () => {
        mayDiscard = true;
        window.close();
      });
  });
  window.webContents.on('did-navigate', () => {
    wanted = undefined;
  });
  return {
    reload() {
      wanted = 'reload';
      window.webContents.reload();
    },
    letClose() {
      mayClose = true;
    },
  };
}
