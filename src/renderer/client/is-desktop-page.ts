/** What is asked of a page's `window` to know where it runs. */
export interface PagePlace {
  navigator: { userAgent: string };
  location: { origin: string };
}

/** Whether this is the desktop app's page. Its address does not tell: while developing it comes from a web server too. */
export function isDesktopPage(page: Pick<PagePlace, 'navigator'>): boolean {
  return page.navigator.userAgent.includes(' Electron/');
}
