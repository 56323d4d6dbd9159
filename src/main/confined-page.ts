import type { WebPreferences } from 'electron';

/** The preferences of every window: its page is sandboxed, and isolated from Node and from its preload. */
export function confinedPage({ preloadPath, devTools }: { preloadPath: string; devTools: boolean }): WebPreferences {
  return {
    preload: preloadPath,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
    // Off, since Electron would download dictionaries.
    spellcheck: false,
    devTools,
  };
}
