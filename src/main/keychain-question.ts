import type { BrowserWindow } from 'electron';
import { ask } from './ask.ts';

/** The question for each missing thing. */
const questions = {
  KEYCHAIN_UNAVAILABLE: {
    message: "Stream keys can't be stored on this computer.",
    consequence: 'Without a keychain, your stream keys last only until Tallylight is closed.',
    goOn: 'Continue without',
  },
  MASTER_KEY_MISSING: {
    message: "Your stream keys can't be read.",
    consequence:
      'If you continue without them, every stream gets a new stream key, the old ones are lost, and you have to enter the API keys of services elsewhere again.',
    goOn: 'Continue with new stream keys',
  },
} as const;

/** Why there is no key: the code for what is missing, and a sentence about how to fix it. */
export interface MissingKey {
  code: keyof typeof questions;
  sentence: string;
}

/**
 * Asks whether to continue without a keychain, or without the key it should have.
 *
 * The question belongs to the app's window, which is shown for it: on macOS it is a sheet, which a hidden window can't show.
 * Closing the window means no.
 */
export async function askToGoOnWithoutKey(window: BrowserWindow, { code, sentence }: MissingKey): Promise<boolean> {
  if (window.isDestroyed()) return false;
  window.show();
  const { message, consequence, goOn } = questions[code];
  const detail = `${sentence}\n\n${consequence}`;
  return (await ask(window, { type: 'warning', message, detail, buttons: ['Quit', goOn] })) === goOn;
}
