import { type BrowserWindow, dialog } from 'electron';

/** What is asked, by what is missing. */
const questions = {
  KEYCHAIN_UNAVAILABLE: {
    message: 'Stream keys cannot be kept on this computer.',
    consequence: 'Without a keychain the keys of your streams last only until Tallylight is closed.',
    goOn: 'Continue without',
  },
  MASTER_KEY_MISSING: {
    message: 'Your stream keys cannot be read.',
    consequence: 'If you continue without them, every stream gets a new stream key, and the old ones are lost.',
    goOn: 'Continue with new keys',
  },
} as const;

/** Why the keychain does not serve: the code says what is missing, the sentence how to get it. */
export interface MissingKey {
  code: keyof typeof questions;
  sentence: string;
}

/**
 * Asks whether to go on although there is no keychain, or not the key that it had.
 *
 * The question belongs to the app's window, which is shown for it: on macOS it is a sheet of the window, and a hidden one has none.
 * Closing the window is a no.
 */
export async function askToGoOnWithoutKey(window: BrowserWindow, { code, sentence }: MissingKey): Promise<boolean> {
  if (window.isDestroyed()) return false;
  window.show();
  const { message, consequence, goOn } = questions[code];
  const buttons = ['Quit', goOn];
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Tallylight',
    message,
    detail: `${sentence}\n\n${consequence}`,
    buttons,
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return buttons[response] === goOn;
}
