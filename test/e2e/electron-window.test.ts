import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contentSecurityPolicy } from '../../src/shared/content-security-policy.ts';
import { contractPortMessage } from '../../src/shared/contract-port.ts';
import { calmWindowMessage, flashWindowMessage, showWindowMessage } from '../../src/shared/window-messages.ts';
import { type ElectronHost, electronBinary, runElectronHost } from '../support/electron-host.ts';
import { answerQuestions, readQuestions } from '../support/electron-questions.ts';
import { openedPage, regionOn, type StartedApp, startApp } from '../support/electron-stage.ts';

const preload = fileURLToPath(new URL('../../out/preload/index.cjs', import.meta.url));

describe(`Electron's window, on ${electronBinary ?? "Electron's stand-in"}`, () => {
  let app: StartedApp;
  let host: ElectronHost;
  let page: Page;
  /** A foreign server, which records every request. */
  let foreign: Server;
  let foreignUrl: string;
  const foreignRequests: string[] = [];

  beforeAll(async () => {
    foreign = createServer((request, response) => {
      foreignRequests.push(request.url ?? '');
      response.setHeader('content-type', 'text/html');
      response.end('<script>received = []; addEventListener("message", ({ data }) => received.push(data))</script>');
    }).listen(0, '127.0.0.1');
    await once(foreign, 'listening');
    foreignUrl = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
    app = await startApp();
    host = app.host;
    page = await openedPage(host);
  });
  // Each test gets a page that no other has touched.
  beforeEach(async () => {
    foreignRequests.length = 0;
    const loaded = page.waitForEvent('load');
    await host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.webContents.reload());
    await loaded;
    await regionOn(page).waitFor();
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    foreign.close();
  });

  /** Where the window is. */
  const readFront = () =>
    host.inMain(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      return { minimized: window!.isMinimized(), focused: window!.isFocused() };
    });

  test('the page cannot reach Node or Electron', async () => {
    const kinds = await page.evaluate(() =>
      ['require', 'process', 'module', 'Buffer', 'ipcRenderer'].map((name) => typeof (window as never)[name]),
    );
    expect(kinds).toEqual(Array(5).fill('undefined'));
  });

  test('the page is served with the strict policy, and inline scripts do not run', async () => {
    const [policy, playbackOrigin] = await Promise.all([
      page.evaluate(async () => (await fetch(location.href)).headers.get('content-security-policy')),
      playbackOriginOfPolicy(),
    ]);
    expect(policy).toBe(contentSecurityPolicy([playbackOrigin, playbackOrigin.replace(/^http/, 'ws')]));
    const violation = await page.evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener(
            'securitypolicyviolation',
            ({ effectiveDirective, blockedURI }) => resolve({ effectiveDirective, blockedURI }),
            { once: true },
          );
          const script = document.createElement('script');
          script.textContent = 'window.inlineScriptRan = true';
          document.body.append(script);
        }),
    );
    expect(violation).toEqual({ effectiveDirective: 'script-src-elem', blockedURI: 'inline' });
    expect(await page.evaluate(() => 'inlineScriptRan' in window)).toBe(false);

    /** The playback origin in the policy, whose port varies. */
    async function playbackOriginOfPolicy() {
      const connect = /connect-src 'self' (http:\/\/127\.0\.0\.1:\d+) /;
      const text = await page.evaluate(async () => (await fetch(location.href)).headers.get('content-security-policy'));
      return connect.exec(text ?? '')?.[1] ?? '';
    }
  });

  test('no foreign frame can be added to the page', async () => {
    const directive = await page.evaluate(
      (url) =>
        new Promise((resolve) => {
          addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective), { once: true });
          document.body.append(Object.assign(document.createElement('iframe'), { src: url }));
        }),
      `${foreignUrl}/framed`,
    );
    expect([directive, foreignRequests]).toEqual(['frame-src', []]);
  });

  test('the page can fetch playback from the service', async () => {
    const status = await page.evaluate(async () => {
      const policy = (await fetch(location.href)).headers.get('content-security-policy') ?? '';
      const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(policy)?.[0];
      return (await fetch(`${origin}/hls/nothinglikethis0/index.m3u8`)).status;
    });
    expect(status).toBe(404);
  });

  test('a navigation to a foreign page is refused', async () => {
    const url = page.url();
    const refused = host.inMain(
      ({ BrowserWindow }) =>
        new Promise((resolve) => {
          BrowserWindow.getAllWindows()[0]!.webContents.once('will-frame-navigate', (event) => {
            setImmediate(() => resolve({ url: event.url, refused: event.defaultPrevented }));
          });
        }),
    );
    await page.evaluate((target) => {
      location.href = target;
    }, `${foreignUrl}/navigated`);
    expect(await refused).toEqual({ url: `${foreignUrl}/navigated`, refused: true });
    expect(page.url()).toBe(url);
    expect(foreignRequests).toEqual([]);
  });

  test('the page cannot open windows; web links open in the browser, other links nowhere', async () => {
    await host.inMain(({ shell }) => {
      const opened: string[] = [];
      Object.assign(globalThis, { opened });
      shell.openExternal = async (url) => void opened.push(url);
    });
    await page.evaluate((url) => {
      open('file:///etc/passwd');
      open('smb://example.com/share');
      open('javascript:void 0');
      open(`${url}/opened`);
      const link = Object.assign(document.createElement('a'), {
        href: `${url}/linked`,
        target: '_blank',
        textContent: 'Outside',
      });
      document.body.append(link);
      link.click();
      link.remove();
    }, foreignUrl);
    await expect
      .poll(() => host.inMain(() => (globalThis as unknown as { opened: string[] }).opened))
      .toEqual([`${foreignUrl}/opened`, `${foreignUrl}/linked`]);
    expect(await host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
    expect(foreignRequests).toEqual([]);
  });

  test('permissions are denied, except those our page needs', async () => {
    const names = ['geolocation', 'notifications', 'clipboard-read', 'clipboard-write', 'screen-wake-lock'];
    const states = await page.evaluate(
      (asked) =>
        Promise.all(
          asked.map(async (name) => [name, (await navigator.permissions.query({ name: name as PermissionName })).state]),
        ),
      names,
    );
    expect(Object.fromEntries(states)).toEqual({
      geolocation: 'denied',
      notifications: 'granted',
      'clipboard-read': 'denied',
      'clipboard-write': 'granted',
      'screen-wake-lock': 'granted',
    });
    expect(await page.evaluate(() => Notification.requestPermission())).toBe('granted');
    const openCamera = () => navigator.mediaDevices.getUserMedia({ video: true, audio: true });
    await expect(page.evaluate(openCamera)).rejects.toThrow('NotAllowedError');
  });

  test('a notification can be tried, and a system that never shows it is noticed', async () => {
    const stubNotifications = (isShown: boolean) =>
      page.evaluate((fires) => {
        class StubNotification extends EventTarget {
          static readonly permission = 'granted';
          constructor() {
            super();
            if (fires) setTimeout(() => this.dispatchEvent(new Event('show')));
          }
        }
        Object.assign(window, { Notification: StubNotification });
      }, isShown);
    await stubNotifications(false);
    await page.evaluate(() => {
      location.hash = '#/settings';
    });
    const note = page.getByText("Your system doesn't show Tallylight's notifications.");
    const tryIt = page.getByRole('button', { name: 'Try it: notification' });
    await tryIt.click();
    await note.waitFor();
    await stubNotifications(true);
    await tryIt.click();
    await note.waitFor({ state: 'detached' });
    await page.evaluate(() => {
      location.hash = '#/';
    });
  });

  test('a click on a notification brings the window to the front', async () => {
    await page.evaluate(() => {
      class StubNotification extends EventTarget {
        static readonly permission = 'granted';
        constructor() {
          super();
          Object.assign(window, { shown: this });
        }
        close() {}
      }
      Object.assign(window, { Notification: StubNotification });
      location.hash = '#/settings';
    });
    await page.getByRole('button', { name: 'Try it: notification' }).click();
    await host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.minimize());
    await page.evaluate(() => (window as unknown as { shown: Notification }).shown.onclick?.(new Event('click')));
    await expect.poll(readFront).toEqual({ minimized: false, focused: true });
    await page.evaluate(() => {
      location.hash = '#/';
    });
  });

  test('a window that is not in front flashes while its page asks for that', async () => {
    await host.inMain(({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows()[0]!;
      window.minimize();
      window.flashFrame = (isFlashing) => void Object.assign(globalThis, { isFlashing });
    });
    const post = (message: string) => page.evaluate((asked) => window.postMessage(asked, '/'), message);
    const isFlashing = () => host.inMain(() => (globalThis as unknown as { isFlashing?: boolean }).isFlashing);
    await post(flashWindowMessage);
    await expect.poll(isFlashing).toBe(true);
    await post(calmWindowMessage);
    await expect.poll(isFlashing).toBe(false);
    await post(showWindowMessage);
    await expect.poll(readFront).toEqual({ minimized: false, focused: true });
  });

  test('a foreign page gets no contract, even with our preload', async () => {
    const received = await host.inMain(
      async ({ BrowserWindow, ipcMain }, { url, preloadPath, channel }) => {
        const window = new BrowserWindow({ show: false, webPreferences: { preload: preloadPath, sandbox: true } });
        const asked = new Promise<void>((resolve) => ipcMain.once(channel, () => resolve()));
        await window.loadURL(url);
        await asked;
        // Anything posted in reply has arrived by then.
        const code = 'new Promise((resolve) => setTimeout(() => resolve(received), 200))';
        const messages: unknown = await window.webContents.executeJavaScript(code);
        window.destroy();
        return messages;
      },
      { url: `${foreignUrl}/page`, preloadPath: preload, channel: contractPortMessage },
    );
    expect(received).toEqual([]);
    expect(foreignRequests).toContain('/page');
  });

  test('a reloaded page gets its screens over a new port', async () => {
    await page.reload();
    await regionOn(page).waitFor();
  });

  test('a page that keeps crashing is reloaded only when the user agrees', async () => {
    await answerQuestions(host, 'Reload the screens');
    const reloads = await host.inMain(
      ({ BrowserWindow }) =>
        new Promise<number[]>((resolve) => {
          const { webContents } = BrowserWindow.getAllWindows()[0]!;
          const { askedQuestions } = globalThis as unknown as { askedQuestions: unknown[] };
          const askedBefore: number[] = [];
          const crash = () =>
            webContents.emit('render-process-gone', { preventDefault() {} }, { reason: 'crashed', exitCode: 1 });
          webContents.reload = () => {
            askedBefore.push(askedQuestions.length);
            // The count starts over, so the next crash reloads without asking.
            if (askedBefore.length === 1) crash();
            else {
              Reflect.deleteProperty(webContents, 'reload');
              resolve(askedBefore);
            }
          };
          for (let count = 0; count < 6; count += 1) crash();
        }),
    );
    expect(reloads).toEqual([1, 1]);
    expect((await readQuestions(host)).map(({ message }) => message)).toEqual(['The screens keep crashing.']);
  });

  test("the end of Chromium's GPU process is in the log", async () => {
    await host.inMain((electron) => {
      electron.app.emit('child-process-gone', { preventDefault() {} }, { type: 'GPU', reason: 'launch-failed', exitCode: 18 });
    });
    const ended = '"type":"GPU","reason":"launch-failed","exitCode":18,"msg":"A process of Chromium has ended"';
    await expect.poll(() => readFileSync(join(app.folder.path, 'logs', 'tallylight.log'), 'utf8')).toContain(ended);
  });

  test('a second start brings the first window to the front, and exits', async () => {
    await host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.minimize());
    expect((await runElectronHost(app.folder.environment)).code).toBe(0);
    await expect.poll(readFront).toEqual({ minimized: false, focused: true });
  });
});
