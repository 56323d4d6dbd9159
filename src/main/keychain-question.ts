import { dialog } from 'electron';

/** Asks whether to go on although there is no keychain; `sentence` says what is missing and how to get it. */
export async function askToGoOnWithoutKeychain(sentence: string): Promise<boolean> {
  const buttons = ['Quit', 'Go on without'];
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    title: 'Tallylight',
    message: 'Stream keys cannot be kept on this computer.',
    detail: `${sentence}\n\nWithout a keychain the keys of your streams last only until Tallylight is closed.`,
    buttons,
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return buttons[response] === 'Go on without';
}
