import { type BrowserWindow, type IpcMainEvent, ipcMain } from 'electron';
import { showWindowMessage } from '../shared/show-window.ts';
import { isOwnTopFrame } from './own-frame.ts';

/** Brings a window to the front, however it is out of sight: minimized, hidden, or behind others. */
export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/**
 * Brings a window to the front when its own page asks for that, as after a click on a notification: Electron tells only the page of the
 * click, and the page's `focus()` moves no window.
 */
export function showOnRequest(window: BrowserWindow, ownOrigin: string): void {
  const { webContents } = window;
  const onAsked = ({ sender, senderFrame }: IpcMainEvent) => {
    if (sender === webContents && isOwnTopFrame(senderFrame, ownOrigin)) bringToFront(window);
  };
  ipcMain.on(showWindowMessage, onAsked);
  window.once('closed', () => ipcMain.off(showWindowMessage, onAsked));
}
