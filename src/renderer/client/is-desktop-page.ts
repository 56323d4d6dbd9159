/** The parts of a page's `window` that tell where it runs. */
export interface PagePlace {
  navigator: { userAgent: string };
  location: { origin: string };
}

/** Whether this is the desktop app's page. Its address doesn't tell: during development it also comes from a web server. */
export function isDesktopPage(page: Pick<PagePlace, 'navigator'>): boolean {
  return page.navigator.userAgent.includes(' Electron/');
}
