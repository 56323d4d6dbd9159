// biome-ignore-all lint/performance/noBarrelFile: `import … from 'electron'` resolves to this.
export { app } from './app.ts';
export { BrowserWindow } from './browser-window.ts';
export {
  desktopCapturer,
  dialog,
  Menu,
  nativeTheme,
  powerMonitor,
  powerSaveBlocker,
  screen,
  shell,
  systemPreferences,
} from './desktop.ts';
export { ipcMain } from './ipc-main.ts';
export { MessageChannelMain } from './message-port-main.ts';
export { protocol } from './protocol.ts';
export { session } from './session.ts';
