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
 */
export function openWindow(options: { preloadPath: string; statePath: string; devTools: boolean }): BrowserWindow {
  const { preloadPath, statePath, devTools } = options;
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
  // `closed` is too late to ask a window where it was.
  window.on('close', () => {
    writeWindowState(statePath, { bounds: window.getNormalBounds(), maximized: window.isMaximized() });
  });

  const onThemeUpdated = () => window.setBackgroundColor(background());
  nativeTheme.on('updated', onThemeUpdated);
  window.once('closed', () => nativeTheme.off('updated', onThemeUpdated));
  return window;
}
