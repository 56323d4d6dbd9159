import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { calmWindowMessage, flashWindowMessage, showWindowMessage } from '../shared/window-messages.ts';

const ipcMain = new EventEmitter();
vi.mock('electron', () => ({ ipcMain }));
// Another file of this worker may have loaded it, with its own Electron.
vi.resetModules();
const { bringToFront, flashOnRequest, showOnRequest } = await import('./window-front.ts');

const ownOrigin = 'tallylight://app';

/** A window; as in Electron, a minimized window stays minimized when it is shown, and a hidden one gets no focus. */
class Window extends EventEmitter {
  readonly webContents = {};
  isFlashing = false;
  #hasFocus = false;
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
    this.#hasFocus = !this.#isMinimized && !this.#isHidden;
    if (this.#hasFocus) this.emit('focus');
  }

  isFocused(): boolean {
    return this.#hasFocus;
  }

  flashFrame(isFlashing: boolean): void {
    this.isFlashing = isFlashing;
  }
}

beforeEach(() => void ipcMain.removeAllListeners());

test.each([{ isMinimized: true }, { isHidden: true }, {}])('a window that is %j is brought to the front', (state) => {
  const window = new Window(state);
  bringToFront(window as unknown as BrowserWindow);
  expect(window.isFocused()).toBe(true);
});

test("only the top frame of the window's own page brings it to the front, until the window is closed", () => {
  const window = new Window({ isMinimized: true });
  showOnRequest(window as unknown as BrowserWindow, ownOrigin);
  const ask = ({ sender = window.webContents as object, parent = null as object | null, origin = ownOrigin }) => {
    ipcMain.emit(showWindowMessage, { sender, senderFrame: { parent, origin } });
    return window.isFocused();
  };
  expect(ask({ sender: {} })).toBe(false);
  expect(ask({ parent: {} })).toBe(false);
  expect(ask({ origin: 'https://example.com' })).toBe(false);
  expect(ask({})).toBe(true);
  window.emit('closed');
  expect(ipcMain.listenerCount(showWindowMessage)).toBe(0);
});

test('a window in the background flashes when its own page asks, until that page or the user ends it', () => {
  const window = new Window({});
  flashOnRequest(window as unknown as BrowserWindow, ownOrigin);
  const ask = (message: string, sender: object = window.webContents) => {
    ipcMain.emit(message, { sender, senderFrame: { parent: null, origin: ownOrigin } });
    return window.isFlashing;
  };
  expect(ask(flashWindowMessage, {})).toBe(false);
  expect(ask(flashWindowMessage)).toBe(true);
  expect(ask(calmWindowMessage, {})).toBe(true);
  expect(ask(calmWindowMessage)).toBe(false);
  ask(flashWindowMessage);
  window.focus();
  expect(window.isFlashing).toBe(false);
  expect(ask(flashWindowMessage)).toBe(false);
  window.emit('closed');
  expect(ipcMain.eventNames()).toEqual([]);
});
