import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Electron from 'electron';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockDataFolder } from '../../src/service/lib/data-folder-lock.ts';
import { contentSecurityPolicy } from '../../src/shared/content-security-policy.ts';
import { contractPortMessage } from '../../src/shared/contract-port.ts';
import { type ElectronHost, electronBinary, runElectronHost, startElectronHost } from '../support/electron-host.ts';

const preload = fileURLToPath(new URL('../../out/preload/index.cjs', import.meta.url));

let dataFolder: string;
let host: ElectronHost;

const environment = () => ({ TALLYLIGHT_DATA_DIR: dataFolder, TALLYLIGHT_SECRETS: 'memory' });

async function makeDataFolder() {
  dataFolder = await mkdtemp(join(tmpdir(), 'electron-host-'));
}

/** Chromium may still be writing its last files when the app has ended. */
const removeDataFolder = () => rm(dataFolder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });

/** Waits until the screens show what only the contract can have told them: the region. */
async function openedPage(): Promise<Page> {
  const page = await host.window();
  await regionOn(page).waitFor();
  return page;
}

const regionOn = (page: Page) => page.getByText(/^This computer · [A-Z]{3}$/);

/** Makes a stream and takes it on air with the test picture, by clicks. */
async function goLive(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'New stream' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Go live' }).click();
  await page.getByRole('timer', { name: 'On air for' }).waitFor();
}

/** Process ids of the ffmpeg processes of the app. */
function findEncoders(): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' }).split('\n');
  return processes.flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === host.pid && command?.includes('ffmpeg') ? [Number(pid)] : [];
  });
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe(`Electron's window, on ${electronBinary ?? "Electron's stand-in"}`, () => {
  let page: Page;
  /** A server that is not ours; whoever navigates to it is written down. */
  let foreign: Server;
  let foreignUrl: string;
  const foreignRequests: string[] = [];

  beforeAll(async () => {
    await makeDataFolder();
    foreign = createServer((request, response) => {
      foreignRequests.push(request.url ?? '');
      response.setHeader('content-type', 'text/html');
      response.end('<script>received = []; addEventListener("message", ({ data }) => received.push(data))</script>');
    }).listen(0, '127.0.0.1');
    await once(foreign, 'listening');
    foreignUrl = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
    host = await startElectronHost(environment());
    page = await openedPage();
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    foreign.close();
    await removeDataFolder();
  });

  test('nothing of Node or Electron is within reach of the page', async () => {
    const kinds = await page.evaluate(() =>
      ['require', 'process', 'module', 'Buffer', 'ipcRenderer'].map((name) => typeof (window as never)[name]),
    );
    expect(kinds).toEqual(Array(5).fill('undefined'));
  });

  test('the strict policy goes with the page, and inline script does not run', async () => {
    const [policy, playbackOrigin] = await Promise.all([
      page.evaluate(async () => (await fetch(location.href)).headers.get('content-security-policy')),
      playbackOriginOfPolicy(),
    ]);
    expect(policy).toBe(contentSecurityPolicy([playbackOrigin]));
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

    /** The service is one origin on this computer, whichever port it got. */
    async function playbackOriginOfPolicy() {
      const connect = /connect-src 'self' (http:\/\/127\.0\.0\.1:\d+);/;
      const text = await page.evaluate(async () => (await fetch(location.href)).headers.get('content-security-policy'));
      return connect.exec(text ?? '')?.[1] ?? '';
    }
  });

  test('no foreign frame can be put into the page', async () => {
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

  test('the page reaches the playback of the service', async () => {
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

  test('a window the page opens is denied; a web link opens in the browser, another kind nowhere', async () => {
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

  test('permissions are denied, but for those our page needs', async () => {
    const names = ['camera', 'microphone', 'geolocation', 'notifications', 'clipboard-read', 'clipboard-write'];
    const states = await page.evaluate(
      (asked) =>
        Promise.all(
          asked.map(async (name) => [name, (await navigator.permissions.query({ name: name as PermissionName })).state]),
        ),
      names,
    );
    expect(Object.fromEntries(states)).toEqual({
      camera: 'denied',
      microphone: 'denied',
      geolocation: 'denied',
      notifications: 'denied',
      'clipboard-read': 'denied',
      'clipboard-write': 'granted',
    });
    expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied');
  });

  test('a foreign page gets no contract, though it has our preload', async () => {
    const received = await host.inMain(
      async ({ BrowserWindow, ipcMain }, { url, preloadPath, channel }) => {
        const window = new BrowserWindow({ show: false, webPreferences: { preload: preloadPath, sandbox: true } });
        const asked = new Promise<void>((resolve) => ipcMain.once(channel, () => resolve()));
        await window.loadURL(url);
        await asked;
        // Twice around: whatever was posted when it asked has arrived by then.
        const code = 'new Promise((resolve) => setTimeout(() => resolve(received), 200))';
        const messages: unknown = await window.webContents.executeJavaScript(code);
        window.destroy();
        return messages;
      },
      { url: `${foreignUrl}/page`, preloadPath: preload, channel: contractPortMessage },
    );
    expect(received).toEqual([]);
    expect(foreignRequests.splice(0)).toContain('/page');
  });

  test('a reload brings the screens back over a new port', async () => {
    await page.reload();
    await regionOn(page).waitFor();
  });

  test('a second start brings the first one to the front, and ends', async () => {
    await host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.minimize());
    expect((await runElectronHost(environment())).code).toBe(0);
    await expect
      .poll(() =>
        host.inMain(({ BrowserWindow }) => {
          const [window] = BrowserWindow.getAllWindows();
          return { minimized: window!.isMinimized(), focused: window!.isFocused() };
        }),
      )
      .toEqual({ minimized: false, focused: true });
  });
});

describe(`Electron's start and end, on ${electronBinary ?? "Electron's stand-in"}`, () => {
  beforeEach(makeDataFolder);
  afterEach(async () => {
    await host[Symbol.asyncDispose]();
    await removeDataFolder();
  });

  test('the window opens where it was closed', async () => {
    const bounds = { x: 120, y: 90, width: 1000, height: 700 };
    host = await startElectronHost(environment());
    await openedPage();
    await host.inMain(({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]!.setBounds(wanted), bounds);
    await host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
    expect(await host.exited).toBe(0);

    host = await startElectronHost(environment());
    await openedPage();
    const read = () =>
      host.inMain(({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows();
        return { bounds: window!.getNormalBounds(), maximized: window!.isMaximized(), visible: window!.isVisible() };
      });
    expect(await read()).toEqual({ bounds, maximized: false, visible: true });
    await host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.maximize());
    await host.inMain(({ app }) => app.quit());
    expect(await host.exited).toBe(0);

    host = await startElectronHost(environment());
    await openedPage();
    expect(await read()).toEqual({ bounds, maximized: true, visible: true });
  });

  test('a service that cannot start says why in the window, and the app ends with 1', async () => {
    const lock = lockDataFolder(dataFolder);
    host = await startElectronHost(environment());
    const page = await host.window();
    const alert = page.getByRole('alert');
    expect(await alert.getByRole('heading').textContent()).toBe('Tallylight could not start');
    expect(await alert.getByRole('paragraph').first().textContent()).toContain(
      `Another Tallylight is running on the data folder ${dataFolder}`,
    );
    await host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
    expect(await host.exited).toBe(1);
    lock.close();
  });

  test('two clicks take a new stream on air, and the monitor plays it', async () => {
    host = await startElectronHost(environment());
    const page = await openedPage();
    await goLive(page, 'Sunday show');
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1);
    expect(await page.evaluate(() => document.querySelector('video')?.videoWidth)).toBe(1280);
  });

  test('closing while on air asks first; keep streaming keeps all, stop and quit ends service and ffmpeg in under 5 s', async () => {
    host = await startElectronHost(environment());
    const page = await openedPage();
    await goLive(page, 'Sunday show');
    const encoders = findEncoders();
    // One encodes the test picture, one its renditions.
    expect(encoders).toHaveLength(2);

    await host.inMain(({ dialog, BrowserWindow }) => {
      const asked: unknown[] = [];
      Object.assign(globalThis, { asked, answer: 'Keep streaming' });
      dialog.showMessageBox = async (...given: unknown[]) => {
        const { message, detail, buttons = [] } = given.at(-1) as Electron.MessageBoxOptions;
        asked.push({ message, detail, buttons });
        const { answer } = globalThis as unknown as { answer: string };
        return { response: buttons.indexOf(answer), checkboxChecked: false };
      };
      BrowserWindow.getAllWindows()[0]!.close();
    });
    const readAsked = () => host.inMain(() => (globalThis as unknown as { asked: unknown[] }).asked);
    const question = {
      message: 'You are on air.',
      detail: 'Sunday show: closing Tallylight ends the stream for everyone who watches.',
      buttons: ['Keep streaming', 'Stop and quit'],
    };
    await expect.poll(readAsked).toEqual([question]);
    const playedSeconds = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
    await page.waitForFunction((before) => (document.querySelector('video')?.currentTime ?? 0) > before + 1, playedSeconds);
    expect([encoders.every(isRunning), await page.getByRole('button', { name: 'Stop' }).isVisible()]).toEqual([true, true]);

    await host.inMain(({ app }) => {
      Object.assign(globalThis, { answer: 'Stop and quit' });
      app.quit();
    });
    const askedAtMs = Date.now();
    expect(await host.exited).toBe(0);
    expect(Date.now() - askedAtMs).toBeLessThan(5_000);
    expect(encoders.filter(isRunning)).toEqual([]);
  });

  test('a page that crashes is loaded again, and the stream stays on air', async () => {
    host = await startElectronHost(environment());
    await goLive(await openedPage(), 'Sunday show');
    const encoders = findEncoders();
    await host.inMain(
      ({ BrowserWindow, ipcMain }, channel) =>
        new Promise<void>((resolve) => {
          // The new page has its scripts again once it asks for the contract.
          ipcMain.once(channel, () => resolve());
          BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer();
        }),
      contractPortMessage,
    );
    expect([encoders.length, findEncoders()]).toEqual([2, encoders]);
  });

  test('SIGTERM while on air asks nobody and ends it with 0, in under 5 s', async () => {
    host = await startElectronHost(environment());
    await goLive(await openedPage(), 'Sunday show');
    const encoders = findEncoders();
    const endedAtMs = Date.now();
    process.kill(host.pid, 'SIGTERM');
    expect(await host.exited).toBe(0);
    expect(Date.now() - endedAtMs).toBeLessThan(5_000);
    expect([encoders.length, encoders.filter(isRunning)]).toEqual([2, []]);
  });

  test.runIf(process.platform === 'linux').each([
    { answer: 'Quit', opens: false },
    { answer: 'Go on without', opens: true },
  ])('without a keychain it says what is missing; $answer', async ({ answer, opens }) => {
    const noKeyring = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(dataFolder, 'nothing')}` };
    host = await startElectronHost({ ...environment(), TALLYLIGHT_SECRETS: 'os', ...noKeyring });
    const asked = host.inMain(
      ({ dialog }, chosen) =>
        new Promise((resolve) => {
          dialog.showMessageBox = async (...given: unknown[]) => {
            const { message, buttons = [] } = given.at(-1) as Electron.MessageBoxOptions;
            resolve({ message, buttons });
            return { response: buttons.indexOf(chosen), checkboxChecked: false };
          };
        }),
      answer,
    );
    expect(await asked).toEqual({
      message: 'Stream keys cannot be kept on this computer.',
      buttons: ['Quit', 'Go on without'],
    });
    if (opens) await openedPage();
    else expect(await host.exited).toBe(0);
  });
});
