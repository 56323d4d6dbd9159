import { Menu, type MenuItemConstructorOptions } from 'electron';

/** The application menu: the system's standard items, plus developer tools during development. */
export function setMenu(options: { platform: NodeJS.Platform; devTools: boolean }): void {
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
          { role: 'reload' },
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
