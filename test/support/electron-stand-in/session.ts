import type * as Electron from 'electron';
import type { CDPSession } from 'playwright-core';

type RequestHandler = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
type CheckHandler = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type Permission = Parameters<NonNullable<CheckHandler>>[1];

/** Chromium's permissions, by Electron's name for each. */
const chromiumNames: [Permission, ...string[]][] = [
  ['geolocation', 'geolocation'],
  ['notifications', 'notifications'],
  ['media', 'camera', 'microphone'],
  ['display-capture', 'display-capture'],
  ['clipboard-read', 'clipboard-read'],
  ['clipboard-sanitized-write', 'clipboard-write'],
  ['midi', 'midi'],
  ['idle-detection', 'idle-detection'],
  ['local-fonts', 'local-fonts'],
  ['window-management', 'window-management'],
  ['local-network-access', 'local-network-access'],
  ['local-network', 'local-network'],
  ['loopback-network', 'loopback-network'],
];

class Session {
  #request: RequestHandler = null;
  #check: CheckHandler = null;

  setPermissionRequestHandler(handler: RequestHandler): void {
    this.#request = handler;
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    this.#check = handler;
  }

  setDevicePermissionHandler(): void {}

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
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'
>;

/** Electron's `session`. */
export const session = { defaultSession };
