import { EventEmitter } from 'node:events';
/** Electron's `ipcMain`: WebContents emits on it what the preload sends. */
export const ipcMain = new EventEmitter();
