import { EventEmitter } from 'node:events';
/** Electron's `ipcMain`: WebContents emits the preload's messages on it. */
export const ipcMain = new EventEmitter();
