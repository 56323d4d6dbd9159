import { dialog } from 'electron';

/** Tells the user that a bug has ended the app, until it is answered. Blocks the process: by then everything is closed. */
export function showCrash(logFolder: string): void {
  dialog.showErrorBox(
    'Tallylight ended because of an internal error',
    `Broadcasts that were on air have ended. Start Tallylight and go live again. The log in ${logFolder} says what happened.`,
  );
}
