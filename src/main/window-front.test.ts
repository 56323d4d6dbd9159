import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { showWindowMessage } from '../shared/show-window.ts';

const ipcMain = new EventEmitter();
vi.mock('electron', () => ({ ipcMain }));
// Another file of this worker may have loaded it, with its own Electron.
vi.resetModules();
const { bringToFront, showOnRequest } = await import('./window-front.ts');

const ownOrigin = 'tallylight://app';

/** A window; as in Electron, a minimized window stays minimized when it is shown, and a hidden one gets no focus. */
class Window extends EventEmitter {
  readonly webContents = {};
  isFocused = false;
  #isMinimized: boolean;
  #isHidden: boolean;

  constructor({ isMinimized = false, isHidden = false }) {
    super();
    this.#isMinimized = isMinimized;
    this.#isHidden = isHidden;
  }

  isMinimized(): boolean {
    return this.#isMinimized;
  }

  restore(): void {
    this.#isMinimized = false;
  }

  show(): void {
    this.#isHidden = false;
  }

  focus(): void {
    this.isFocused = !this.#isMinimized && !this.#isHidden;
  }
}

beforeEach(() => void ipcMain.removeAllListeners());

test.each([{ isMinimized: true }, { isHidden: true }, {}])('a window that is %j is brought to the front', (state) => {
  const window = new Window(state);
  bringToFront(window as unknown as BrowserWindow);
  expect(window.isFocused).toBe(true);
});

test("only the top frame of the window's own page brings it to the front, until the window is closed", () => {
  const window = new Window({ isMinimized: true });
  showOnRequest(window as unknown as BrowserWindow, ownOrigin);
  const ask = ({ sender = window.webContents as object, parent = null as object | null, origin = ownOrigin }) => {
    ipcMain.emit(showWindowMessage, { sender, senderFrame: { parent, origin } });
    return window.isFocused;
  };
  expect(ask({ sender: {} })).toBe(false);
  expect(ask({ parent: {} })).toBe(false);
  expect(ask({ origin: 'https://example.com' })).toBe(false);
  expect(ask({})).toBe(true);
  window.emit('closed');
  expect(ipcMain.listenerCount(showWindowMessage)).toBe(0);
});
