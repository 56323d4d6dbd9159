import { app, type Session, shell, type WebContents } from 'electron';
import type { Logger } from '../service/ports.ts';
import { findOrigin } from './app-url.ts';

/**
 * What our own page may do beyond the basics: full screen for the monitor, copying to the clipboard, notifications of a lost
 * broadcast, and reaching the service on this computer, another origin on the loopback network (Local Network Access,
 * "Permission prompt").
 */
const ownPermissions: ReadonlySet<string> = new Set([
  'fullscreen',
  'clipboard-sanitized-write',
  'notifications',
  'local-network-access',
  'local-network',
  'loopback-network',
]);

/** Grants our own page {@link ownPermissions}; denies it everything else, and every other page everything. */
export function limitPermissions(session: Session, ownOrigin: string): void {
  const allows = (permission: string, requester: string | undefined) =>
    requester !== undefined && findOrigin(requester) === ownOrigin && ownPermissions.has(permission);

  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(allows(permission, details.requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) => allows(permission, origin));
  session.setDevicePermissionHandler(() => false);
}

/** Keeps every page in place: none may navigate away, open a window or attach a `<webview>`; web links open in the browser. */
export function confinePages(ownOrigin: string, log: Logger): void {
  app.on('web-contents-created', (_event, contents) => confine(contents, ownOrigin, log));
}

function confine(contents: WebContents, ownOrigin: string, log: Logger): void {
  contents.on('will-frame-navigate', (event) => {
    if (findOrigin(event.url) !== ownOrigin) {
      event.preventDefault();
      log.warn({ origin: findOrigin(event.url) }, 'Refused to navigate away from the app');
    }
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (isWebLink(url)) {
      shell.openExternal(url).catch((error: unknown) => log.warn({ err: error }, 'The browser could not be opened'));
    } else {
      log.warn({ origin: findOrigin(url) }, 'Refused a link that is not a web page');
    }
    return { action: 'deny' };
  });
}

/** Whether the system may open `url`. Only web pages: other schemes can start any program. */
function isWebLink(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}
