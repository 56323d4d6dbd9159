import { BrowserWindow, nativeTheme, screen } from 'electron';
import { backgroundColor } from './background-color.ts';
import { minimumSize, placeWindow, readWindowState, writeWindowState } from './window-state.ts';

const background = () => backgroundColor[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'];

/**
 * Opens the app's one window, where it was the last time, sandboxed and apart from Node.
 *
 * It is shown once its page has something to see.
 *
 * @param options.statePath the file that remembers the window.
 * @param options.onPageGone hears why the page's process has ended by itself; the page is then loaded again.
 */
export function openWindow(options: {
  preloadPath: string;
  iconPath: string;
  statePath: string;
  devTools: boolean;
  onPageGone: (reason: string) => void;
}): BrowserWindow {
  const { preloadPath, iconPath, statePath, devTools, onPageGone } = options;
  const state = readWindowState(statePath);
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  const window = new BrowserWindow({
    ...placeWindow(
      state,
      [primary, ...others].map(({ workArea }) => workArea),
    ),
    minWidth: minimumSize.width,
    minHeight: minimumSize.height,
    title: 'Tallylight',
    icon: iconPath,
    backgroundColor: background(),
    show: false,
    webPreferences: {
      preload: preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      // Its dictionaries would be downloaded.
      spellcheck: false,
      devTools,
    },
  });
  if (state?.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    onPageGone(reason);
    window.webContents.reload();
  });
  // `closed` is too late to ask a window where it was.
  window.on('close', () => {
    writeWindowState(statePath, { bounds: window.getNormalBounds(), maximized: window.isMaximized() });
  });

  const onThemeUpdated = () => window.setBackgroundColor(background());
  nativeTheme.on('updated', onThemeUpdated);
  window.once('closed', () => nativeTheme.off('updated', onThemeUpdated));
  return window;
}
