import { Menu, type MenuItemConstructorOptions } from 'electron';

/**
 * The application menu: the system's standard items, plus developer tools during development.
 *
 * @param options.reload reloads the screens; Electron's own item would discard unsaved edits without a word.
 */
export function setMenu(options: { platform: NodeJS.Platform; devTools: boolean; reload: () => void }): void {
  const developer: MenuItemConstructorOptions[] = options.devTools
    ? [{ type: 'separator' }, { role: 'forceReload' }, { role: 'toggleDevTools' }]
    : [];
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(options.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
      { role: 'fileMenu' },
      { role: 'editMenu' },
      {
        label: 'View',
        submenu: [
          { label: 'Reload', accelerator: 'CmdOrCtrl+R', click: options.reload },
          { type: 'separator' },
          { role: 'resetZoom' },
          { role: 'zoomIn' },
          { role: 'zoomOut' },
          { type: 'separator' },
          { role: 'togglefullscreen' },
          ...developer,
        ],
      },
      { role: 'windowMenu' },
      { role: 'help', submenu: [{ role: 'about' }] },
    ]),
  );
}
