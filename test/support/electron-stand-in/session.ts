import type * as Electron from 'electron';
import type { CDPSession } from 'playwright-core';

type RequestHandler = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
type CheckHandler = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type Permission = Parameters<NonNullable<CheckHandler>>[1];

type DisplayHandler = Parameters<Electron.Session['setDisplayMediaRequestHandler']>[0];

/**
 * Chromium's permissions, by Electron's name for each. Cameras, microphones and screens are not among them: Chromium has one answer for
 * all pages of an origin, Electron asks for each ({@link Session.mayCapture}).
 */
const chromiumNames: [Permission, ...string[]][] = [
  ['geolocation', 'geolocation'],
  ['notifications', 'notifications'],
  ['clipboard-read', 'clipboard-read'],
  ['clipboard-sanitized-write', 'clipboard-write'],
  ['midi', 'midi'],
  ['idle-detection', 'idle-detection'],
  ['local-fonts', 'local-fonts'],
  ['window-management', 'window-management'],
  ['screen-wake-lock', 'screen-wake-lock'],
  ['local-network-access', 'local-network-access'],
  ['local-network', 'local-network'],
  ['loopback-network', 'loopback-network'],
];

/** A page's request. */
export interface CaptureQuestion {
  what: 'media' | 'display-capture';
  /** The page's URL, as the app knows it. */
  url: string;
  userGesture: boolean;
  audioRequested: boolean;
}

class Session {
  #request: RequestHandler = null;
  #check: CheckHandler = null;
  #display: DisplayHandler = null;

  setPermissionRequestHandler(handler: RequestHandler): void {
    this.#request = handler;
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    this.#check = handler;
  }

  setDevicePermissionHandler(): void {}

  setDisplayMediaRequestHandler(handler: DisplayHandler): void {
    this.#display = handler;
  }

  /**
   * Whether a page may use the requested device: cameras and microphones by the permission `media`, a screen by `display-capture` and the
   * answer of the app's handler. Not part of Electron.
   */
  async mayCapture(
    contents: Electron.WebContents,
    { what, url, userGesture, audioRequested }: CaptureQuestion,
  ): Promise<boolean> {
    if (!(await this.#grants(contents, what, url))) return false;
    if (what === 'media') return true;
    const handler = this.#display;
    if (handler === null) return false;
    const { protocol, host } = new URL(url);
    const request = {
      frame: contents.mainFrame,
      securityOrigin: `${protocol}//${host}`,
      videoRequested: true,
      audioRequested,
      userGesture,
    };
    const streams = await new Promise<Electron.Streams | null>((answer) => handler(request, answer));
    return streams?.video !== undefined;
  }

  /**
   * Sets Chromium's permissions for a page to the answers of the app's handlers; without handlers all are granted, as in
   * Electron. Not part of Electron.
   */
  async applyPermissions(
    cdp: CDPSession,
    contents: Electron.WebContents,
    appUrl: string,
    chromiumOrigin: string,
  ): Promise<void> {
    for (const [permission, ...names] of chromiumNames) {
      const setting = (await this.#grants(contents, permission, appUrl)) ? 'granted' : 'denied';
      for (const name of names) {
        await cdp.send('Browser.setPermission', { permission: { name }, setting, origin: chromiumOrigin });
      }
    }
  }

  async #grants(contents: Electron.WebContents, permission: Permission, requestingUrl: string): Promise<boolean> {
    const details = { isMainFrame: true, requestingUrl };
    const { protocol, host } = new URL(requestingUrl);
    if (this.#check && !this.#check(contents, permission, `${protocol}//${host}/`, details)) {
      const request = this.#request;
      return request === null || (await new Promise<boolean>((answer) => request(contents, permission, answer, details)));
    }
    return true;
  }
}

const defaultSession = new Session();

defaultSession satisfies Pick<
  Electron.Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler' | 'setDisplayMediaRequestHandler'
>;

/** Electron's `session`. */
export const session = { defaultSession };
