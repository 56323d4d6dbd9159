import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const workArea = { x: 0, y: 0, width: 1920, height: 1080 };
const bounds = { x: 100, y: 50, width: 1000, height: 700 };

/** As in Electron, maximizing a hidden window shows it. */
class Window extends EventEmitter {
  readonly webContents = new EventEmitter();
  isShown = false;
  #isMaximized = false;

  show(): void {
    this.isShown = true;
    this.emit('show');
  }

  maximize(): void {
    this.#isMaximized = true;
    this.isShown = true;
  }

  isMaximized(): boolean {
    return this.#isMaximized;
  }

  getNormalBounds() {
    return bounds;
  }
}

const popup = vi.fn();
vi.mock('electron', () => ({
  BrowserWindow: Window,
  Menu: { buildFromTemplate: () => ({ popup }) },
  nativeTheme: Object.assign(new EventEmitter(), { shouldUseDarkColors: false }),
  screen: { getPrimaryDisplay: () => ({ id: 1, workArea }), getAllDisplays: () => [{ id: 1, workArea }] },
}));
const { openWindow } = await import('./window.ts');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'window-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Opens a window that was maximized when it was closed. */
function reopen(): { window: Window; readMaximized: () => boolean } {
  const statePath = join(folder, 'window.json');
  writeFileSync(statePath, JSON.stringify({ bounds, maximized: true }));
  const window = openWindow({ preloadPath: '', iconPath: '', statePath, devTools: false, log: {} as never });
  return { window: window as unknown as Window, readMaximized: () => JSON.parse(readFileSync(statePath, 'utf8')).maximized };
}

test('a window that was maximized is hidden until its page has something to see, and then maximized', () => {
  const { window } = reopen();
  expect([window.isShown, window.isMaximized()]).toEqual([false, false]);
  window.emit('ready-to-show');
  expect([window.isShown, window.isMaximized()]).toEqual([true, true]);
  window.emit('closed');
});

test('a window that closes before that is maximized the next time', () => {
  const { window, readMaximized } = reopen();
  window.emit('close');
  window.emit('closed');
  expect(readMaximized()).toBe(true);
});

test('a right click in one of its fields opens a menu', () => {
  const { window } = reopen();
  window.webContents.emit('context-menu', {}, { isEditable: true, selectionText: '', editFlags: {} });
  expect(popup.mock.calls).toEqual([[{ window }]]);
  window.emit('closed');
});
