import type * as Electron from 'electron';
import type { ElectronHost } from './electron-host.ts';

/** A question that the app asked in a message box. */
export interface AskedQuestion {
  message: string;
  detail: string;
  buttons: string[];
  /** Whether it belongs to a window that the user sees. */
  hasVisibleParent: boolean;
}

/** The app's question before it ends the broadcast of the stream `Sunday show`. */
export const onAirQuestion: AskedQuestion = {
  message: 'You are on air.',
  detail: 'Sunday show: closing Tallylight ends the broadcast for everyone watching.',
  buttons: ['Keep streaming', 'Stop and quit'],
  hasVisibleParent: true,
};

type MainGlobal = typeof globalThis & { askedQuestions: AskedQuestion[] };

/** Answers the app's questions from now on, each with the one of its buttons that is among `answers`, and forgets earlier questions. */
export function answerQuestions(host: ElectronHost, ...answers: string[]): Promise<void> {
  return host.inMain(({ dialog }, chosen) => {
    const asked: AskedQuestion[] = [];
    (globalThis as MainGlobal).askedQuestions = asked;
    dialog.showMessageBox = async (...given: unknown[]) => {
      const { message, detail = '', buttons = [] } = given.at(-1) as Electron.MessageBoxOptions;
      const parent = given.length === 2 ? (given[0] as Electron.BrowserWindow) : undefined;
      asked.push({ message, detail, buttons, hasVisibleParent: parent?.isVisible() ?? false });
      return { response: buttons.findIndex((button) => chosen.includes(button)), checkboxChecked: false };
    };
  }, answers);
}

/** The questions since {@link answerQuestions}. */
export const readQuestions = (host: ElectronHost): Promise<AskedQuestion[]> =>
  host.inMain(() => (globalThis as MainGlobal).askedQuestions);
