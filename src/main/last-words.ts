import { dialog } from 'electron';
import { pause } from '../shared/pause.ts';

/** How long the box keeps the process alive, since nobody may be there to answer it. */
const shownMs = 60_000;

/** Tells the user why the app ends, on the terminal alone. */
export function printLastWords(message: string, detail: string): void {
  // The terminal may be gone.
  process.stderr.write(`${message}: ${detail}\n`, () => {});
}

/** Tells the user why the app ends, in a box and on the terminal; resolves once the box is answered, or after a minute. Never rejects. */
export async function sayLastWords(message: string, detail: string): Promise<void> {
  printLastWords(message, detail);
  const answered = dialog.showMessageBox({ type: 'error', message, detail, buttons: ['Close'] });
  await Promise.race([answered, pause(shownMs)]).catch(() => {});
}

/** A bug has ended the app. */
export const sayCrashed = (logFolder: string): Promise<void> =>
  sayLastWords(
    'Tallylight ended because of an internal error',
    `Broadcasts that were on air have ended. Start Tallylight and go live again. The log in ${logFolder} says what happened.`,
  );
