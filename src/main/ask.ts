import { type BrowserWindow, dialog, type MessageBoxOptions } from 'electron';

interface Question<Button extends string> extends Pick<MessageBoxOptions, 'type' | 'message' | 'detail' | 'signal'> {
  /** The first is the default, and the answer if the box is closed or `signal` aborts. */
  buttons: readonly [Button, ...Button[]];
}

/** Asks in a message box of the window; returns the label of the pressed button. */
export async function ask<Button extends string>(
  window: BrowserWindow,
  { buttons, ...question }: Question<Button>,
): Promise<Button> {
  const { response } = await dialog.showMessageBox(window, {
    ...question,
    title: 'Tallylight',
    buttons: [...buttons],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return buttons[response] ?? buttons[0];
}
