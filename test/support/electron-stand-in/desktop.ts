import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';

/** Electron's `dialog`. Nobody can answer it: a test replaces a function here with its own answer. */
export const dialog = {
  showMessageBox: async (): Promise<Electron.MessageBoxReturnValue> => {
    throw new Error('Nobody answers the message box: replace dialog.showMessageBox with an answer');
  },
} satisfies Pick<Electron.Dialog, 'showMessageBox'>;

/** Electron's `shell`: opens nothing. */
export const shell = {
  openExternal: async () => {},
} satisfies Pick<Electron.Shell, 'openExternal'>;

const workArea = { x: 0, y: 0, width: 1920, height: 1080 };

const display = { id: 1, workArea, bounds: workArea } as Electron.Display;

/** Electron's `screen` with one display. */
export const screen = {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
} satisfies Pick<Electron.Screen, 'getPrimaryDisplay' | 'getAllDisplays'>;

/** Electron's `powerMonitor`: this computer never shuts down, unless a test emits the event. */
export const powerMonitor = new EventEmitter();

/** Electron's `desktopCapturer`: the one display. */
export const desktopCapturer = {
  getSources: async () => [{ id: 'screen:1:0', name: 'Screen 1' } as Electron.DesktopCapturerSource],
} satisfies Pick<Electron.DesktopCapturer, 'getSources'>;

/** Electron's `systemPreferences`: everything may be captured. */
export const systemPreferences = {
  getMediaAccessStatus: () => 'granted' as const,
} satisfies Pick<Electron.SystemPreferences, 'getMediaAccessStatus'>;

const blockers = new Set<number>();
let lastBlocker = 0;

/** Electron's `powerSaveBlocker`: records the active blockers. */
export const powerSaveBlocker = {
  start: () => {
    lastBlocker += 1;
    blockers.add(lastBlocker);
    return lastBlocker;
  },
  stop: (id: number) => blockers.delete(id),
  isStarted: (id: number) => blockers.has(id),
} satisfies Pick<Electron.PowerSaveBlocker, 'start' | 'stop' | 'isStarted'>;

class NativeTheme extends EventEmitter {
  readonly shouldUseDarkColors = false;
}

/** Electron's `nativeTheme`, always light. */
export const nativeTheme = new NativeTheme();

nativeTheme satisfies Pick<Electron.NativeTheme, 'shouldUseDarkColors'>;

/** Electron's `Menu`: kept, never shown. */
export class Menu {
  static #current: Menu | null = null;
  readonly items: Electron.MenuItemConstructorOptions[] = [];

  static buildFromTemplate(template: Electron.MenuItemConstructorOptions[]): Menu {
    const menu = new Menu();
    menu.items.push(...template);
    return menu;
  }

  popup(): void {}

  static setApplicationMenu(menu: Menu | null): void {
    Menu.#current = menu;
  }

  static getApplicationMenu(): Menu | null {
    return Menu.#current;
  }
}
