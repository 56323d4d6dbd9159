import { type BrowserWindow, type IpcMainEvent, ipcMain } from 'electron';
import { calmWindowMessage, flashWindowMessage, showWindowMessage, type windowMessages } from '../shared/window-messages.ts';
import { isOwnTopFrame } from './own-frame.ts';

/** Brings a window to the front, whether it is minimized, hidden, or behind others. */
export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/**
 * Brings a window to the front when its own page asks, for example after a click on a notification: Electron reports the click only to the
 * page, and the page's `focus()` doesn't raise the window.
 */
export function showOnRequest(window: BrowserWindow, ownOrigin: string): void {
  onRequest(showWindowMessage, { window, ownOrigin }, () => bringToFront(window));
}

/**
 * Flashes a window, on the taskbar or in the Dock, when its own page asks while it isn't in front, until the page asks for that to stop or
 * the user goes there.
 */
export function flashOnRequest(window: BrowserWindow, ownOrigin: string): void {
  const calm = () => window.flashFrame(false);
  onRequest(flashWindowMessage, { window, ownOrigin }, () => {
    if (!window.isFocused()) window.flashFrame(true);
  });
  onRequest(calmWindowMessage, { window, ownOrigin }, calm);
  window.on('focus', calm);
}

/** Calls `listener` when the window's own page sends the message, until the window is closed. */
function onRequest(
  message: (typeof windowMessages)[number],
  { window, ownOrigin }: { window: BrowserWindow; ownOrigin: string },
  listener: () => void,
): void {
  const { webContents } = window;
  const onAsked = ({ sender, senderFrame }: IpcMainEvent) => {
    if (sender === webContents && isOwnTopFrame(senderFrame, ownOrigin)) listener();
  };
  ipcMain.on(message, onAsked);
  window.once('closed', () => ipcMain.off(message, onAsked));
}
