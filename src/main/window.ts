import { BrowserWindow, nativeTheme, screen } from 'electron';
import type { Logger } from '../service/ports.ts';
import { backgroundColor } from './background-color.ts';
import { confinedPage } from './confined-page.ts';
import { offerContextMenu } from './context-menu.ts';
import { measureFrame } from './window-frame.ts';
import { type Bounds, placeWindow, readWindowState, writeWindowState } from './window-state.ts';

const background = () => backgroundColor[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'];

/**
 * Opens the app's one window, where it last was, sandboxed and isolated from Node.
 *
 * It is shown once its page has painted.
 *
 * @param options.statePath the file that remembers the window.
 */
export function openWindow(options: {
  preloadPath: string;
  iconPath: string;
  statePath: string;
  devTools: boolean;
  log: Logger;
}): BrowserWindow {
  const { preloadPath, iconPath, statePath, devTools, log } = options;
  const state = readWindowState(statePath, (error) => log.warn({ err: error }, 'Could not read the window state'));
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  const asked = placeWindow(state, [primary.workArea, ...others.map(({ workArea }) => workArea)]);
  const window = new BrowserWindow({
    ...asked,
    title: 'Tallylight',
    icon: iconPath,
    backgroundColor: background(),
    show: false,
    webPreferences: confinedPage({ preloadPath, devTools }),
  });
  offerContextMenu(window);
  const wasMaximized = state?.maximized === true;
  let isReady = false;
  window.once('ready-to-show', () => {
    isReady = true;
    // Not earlier, since maximizing shows the window.
    if (wasMaximized) window.maximize();
    window.show();
  });
  rememberPlace(window, asked, { statePath, isMaximized: () => (isReady ? window.isMaximized() : wasMaximized), log });

  const onThemeUpdated = () => window.setBackgroundColor(background());
  nativeTheme.on('updated', onThemeUpdated);
  window.once('closed', () => nativeTheme.off('updated', onThemeUpdated));
  return window;
}

/** How long a window manager may take to add its frame to a shown window. */
const framingMs = 1_000;

/** Saves the window's bounds when it closes. */
function rememberPlace(
  window: BrowserWindow,
  asked: Bounds,
  { statePath, isMaximized, log }: { statePath: string; isMaximized: () => boolean; log: Logger },
): void {
  let frame = { x: 0, y: 0 };
  let timer: NodeJS.Timeout | undefined;
  const measure = () => {
    frame = measureFrame(asked, window.getNormalBounds());
  };
  window.once('show', () => {
    measure();
    // A later move is the user's; before that, the frame may still be coming.
    if (frame.x === 0 && frame.y === 0) timer = setTimeout(measure, framingMs);
  });
  window.once('closed', () => clearTimeout(timer));
  // On `closed` it is too late to read a window's bounds.
  window.on('close', () => {
    clearTimeout(timer);
    const { x, y } = frame;
    const bounds = window.getNormalBounds();
    writeWindowState(
      statePath,
      { bounds: { ...bounds, x: bounds.x - x, y: bounds.y - y }, maximized: isMaximized() },
      (error) => log.warn({ err: error }, 'Could not save the window state'),
    );
  });
}
