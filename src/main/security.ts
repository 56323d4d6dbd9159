import { app, type Session, shell, type WebContents } from 'electron';
import type { Logger } from '../service/ports.ts';
import { findOrigin } from './app-url.ts';

/**
 * The permissions of our own page: full screen for the monitor and the tally view, whose light also keeps the display on,
 * copying to the clipboard, notifications of a lost broadcast, and reaching the service on this computer, another origin on the loopback
 * network (Local Network Access, "Permission prompt").
 */
const ownPermissions: ReadonlySet<string> = new Set([
  'fullscreen',
  'screen-wake-lock',
  'clipboard-sanitized-write',
  'notifications',
  'local-network-access',
  'local-network',
  'loopback-network',
]);

/** Extra permissions of the capture window's page alone: to use cameras and microphones, and to ask for a screen. */
const capturePermissions: ReadonlySet<string> = new Set(['media', 'display-capture']);

/**
 * Grants our own pages {@link ownPermissions}, and the capture window's {@link capturePermissions}; denies them everything else, and
 * every other page everything.
 */
export function limitPermissions(
  session: Session,
  { ownOrigin, isCapturePage }: { ownOrigin: string; isCapturePage: (contents: WebContents | null) => boolean },
): void {
  const allows = (contents: WebContents | null, permission: string, requester: string | undefined) =>
    requester !== undefined &&
    findOrigin(requester) === ownOrigin &&
    (ownPermissions.has(permission) || (capturePermissions.has(permission) && isCapturePage(contents)));

  session.setPermissionRequestHandler((contents, permission, answer, details) =>
    answer(allows(contents, permission, details.requestingUrl)),
  );
  session.setPermissionCheckHandler((contents, permission, origin) => allows(contents, permission, origin));
  session.setDevicePermissionHandler(() => false);
}

/**
 * Keeps every page in place: none may navigate away, open a window or attach a `<webview>`; web links open in the browser. No server
 * gets a client certificate (RFC 8446 §4.3.2): Electron would send the first of the system's store, which names the user.
 */
export function confinePages(ownOrigin: string, log: Logger): void {
  app.on('web-contents-created', (_event, contents) => confine(contents, ownOrigin, log));
  app.on('select-client-certificate', (event, _contents, _url, _certificates, answer) => {
    event.preventDefault();
    answer();
  });
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
