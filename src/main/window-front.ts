import { type BrowserWindow, type IpcMainEvent, ipcMain } from 'electron';
import { showWindowMessage } from '../shared/show-window.ts';
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
  const { webContents } = window;
  const onAsked = ({ sender, senderFrame }: IpcMainEvent) => {
    if (sender === webContents && isOwnTopFrame(senderFrame, ownOrigin)) bringToFront(window);
  };
  ipcMain.on(showWindowMessage, onAsked);
  window.once('closed', () => ipcMain.off(showWindowMessage, onAsked));
}
