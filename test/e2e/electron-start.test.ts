import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { describe, expect, test } from 'vitest';
import { lockDataFolder } from '../../src/service/lib/data-folder-lock.ts';
import { contractPortMessage } from '../../src/shared/contract-port.ts';
import { electronBinary, runElectronHost, startElectronHost } from '../support/electron-host.ts';
import {
  type AppFolder,
  closeWindow,
  isPreparedFirst,
  makeAppFolder,
  openedPage,
  startApp,
} from '../support/electron-stage.ts';

describe.concurrent(`The desktop app's start, on ${electronBinary ?? "Electron's stand-in"}`, () => {
  test('the window opens where it was closed', async ({ expect }) => {
    await using stack = new AsyncDisposableStack();
    const folder = await makeAppFolder();
    stack.defer(folder.remove);
    const start = async () => {
      const host = stack.use(await startElectronHost(folder.environment));
      const read = () =>
        host.inMain(({ BrowserWindow }) => {
          const [window] = BrowserWindow.getAllWindows();
          return window && { bounds: window.getNormalBounds(), maximized: window.isMaximized(), visible: window.isVisible() };
        });
      await expect.poll(read).toMatchObject({ visible: true });
      return { host, read };
    };
    const first = await start();
    await first.host.inMain(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]!.setBounds({ x: 120, y: 90, width: 1000, height: 700 });
    });
    // The window manager's frame may shift the window once; after that it keeps its position.
    const bounds = (await first.read())?.bounds;
    await closeWindow(first.host);
    expect(await first.host.exited).toBe(0);

    const second = await start();
    expect(await second.read()).toEqual({ bounds, maximized: false, visible: true });
    await second.host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.maximize());
    await second.host.inMain(({ app }) => app.quit());
    expect(await second.host.exited).toBe(0);

    const third = await start();
    expect(await third.read()).toEqual({ bounds, maximized: true, visible: true });
  });

  test('TALLYLIGHT_LOG_LEVEL says how much is logged; one that does not exist is named, and the app exits with 1', async ({
    expect,
  }) => {
    await using app = await startApp(() => ({ TALLYLIGHT_LOG_LEVEL: 'debug' }));
    const page = await openedPage(app.host);
    await page.evaluate(async () => {
      const policy = (await fetch(location.href)).headers.get('content-security-policy') ?? '';
      const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(policy)?.[0];
      await fetch(`${origin}/hls/nothinglikethis0/index.m3u8`);
    });
    // Requests are logged at this level only.
    await expect.poll(() => readFileSync(join(app.folder.path, 'logs', 'tallylight.log'), 'utf8')).toContain('"level":20,');

    const folder = await makeAppFolder();
    await using _ = { [Symbol.asyncDispose]: folder.remove };
    const { code, stderr } = await runElectronHost({ ...folder.environment, TALLYLIGHT_LOG_LEVEL: 'loud' });
    expect(code).toBe(1);
    expect(stderr).toContain("TALLYLIGHT_LOG_LEVEL: The log level “loud” doesn't exist. Use one of trace, debug,");
  });

  test('what the app plays is left out of the sound that it captures', async ({ expect }) => {
    await using app = await startApp();
    const off = await app.host.inMain(({ app: { commandLine } }) => commandLine.getSwitchValue('disable-features'));
    expect(off.split(',')).toContain('RestrictOwnAudioAddChromiumBack');
  });

  test.runIf(process.platform === 'linux')('a Wayland session of a console is one to Chromium, too', async ({ expect }) => {
    await using app = await startApp(() => ({ XDG_SESSION_TYPE: 'tty', WAYLAND_DISPLAY: 'wayland-1' }));
    expect(await app.host.inMain(() => process.env.XDG_SESSION_TYPE)).toBe('wayland');
  });

  test('TALLYLIGHT_SECRETS says where secrets are kept, as for the headless host; what it cannot mean is named', async ({
    expect,
  }) => {
    await using app = await startApp(({ path }) => ({ TALLYLIGHT_SECRETS: `file:${join(path, 'key')}` }));
    await openedPage(app.host);
    expect(readFileSync(join(app.folder.path, 'key'), 'utf8')).toMatch(/^[\w+/]{43}=\n$/);

    const folder = await makeAppFolder();
    await using _ = { [Symbol.asyncDispose]: folder.remove };
    const { code, stderr } = await runElectronHost({ ...folder.environment, TALLYLIGHT_SECRETS: 'memroy' });
    expect(code).toBe(1);
    expect(stderr).toContain(
      "TALLYLIGHT_SECRETS: The location “memroy” doesn't exist. It must be os, memory, or file: and a path",
    );
  });

  test.runIf(process.platform === 'linux').each([
    { what: "can't be created", makeFolder: async () => '/proc/no-such-folder' },
    {
      what: "can't be written",
      makeFolder: async (folder: AppFolder) => {
        // Not even root can create a file there.
        await symlink('/proc/self', join(folder.path, 'chromium'));
        return folder.path;
      },
    },
  ])('a data folder that $what is named, and the app exits with 1', async ({ makeFolder }) => {
    const folder = await makeAppFolder();
    await using _ = { [Symbol.asyncDispose]: folder.remove };
    const dataFolder = await makeFolder(folder);
    const { code, stderr } = await runElectronHost({ ...folder.environment, TALLYLIGHT_DATA_DIR: dataFolder });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`Tallylight can't use the data folder ${dataFolder}: ENOENT`),
    });
  });

  test.runIf(process.platform === 'linux').each<{ what: string; environment: Record<string, string>; named: string }>([
    {
      what: 'temporary folder that does not work is',
      environment: { TMPDIR: '/proc/no-such-folder' },
      named: 'temporary folder',
    },
    {
      what: 'data folder is, where the temporary folder does not work either',
      environment: { TMPDIR: '/proc/no-such-folder', TALLYLIGHT_DATA_DIR: '/proc/no-such-folder' },
      named: 'data folder',
    },
  ])('a $what named, and the app exits with 1', async ({ environment, named }) => {
    const folder = await makeAppFolder();
    await using _ = { [Symbol.asyncDispose]: folder.remove };
    const { code, stderr } = await runElectronHost({ ...folder.environment, ...environment });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(
        `Tallylight could not start: Tallylight can't use the ${named} /proc/no-such-folder: ENOENT`,
      ),
    });
  });

  test.runIf(process.platform === 'linux')('an empty TALLYLIGHT_DATA_DIR means the usual data folder', async ({ expect }) => {
    await using app = await startApp(({ path }) => ({ TALLYLIGHT_DATA_DIR: '', XDG_DATA_HOME: path }));
    expect(await app.host.inMain(({ app }) => app.getPath('userData'))).toBe(join(app.folder.path, 'tallylight', 'chromium'));
  });

  test('a page that crashes during its first load is loaded again, and the app keeps running', async ({ expect }) => {
    await using app = await startApp(() => isPreparedFirst);
    const { host } = app;
    await host.inMain(
      ({ app, ipcMain }, channel) =>
        new Promise<void>((resolve) => {
          app.once('web-contents-created', (_event, contents) => {
            contents.once('did-navigate', () => contents.forcefullyCrashRenderer());
            // The page is there again once it asks for the contract.
            contents.once('render-process-gone', () => ipcMain.once(channel, () => resolve()));
          });
        }),
      contractPortMessage,
    );
    await expect
      .poll(() => host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isVisible())))
      .toEqual([true]);
    await closeWindow(host);
    expect(await host.exited).toBe(0);
  });

  test('the window shows why the service cannot start, and the app exits with 1', async ({ expect }) => {
    await using stack = new AsyncDisposableStack();
    const folder = await makeAppFolder();
    stack.defer(folder.remove);
    const lock = lockDataFolder(folder.path);
    stack.defer(() => lock.close());
    const host = stack.use(await startElectronHost(folder.environment));
    const page = await host.window();
    const alert = page.getByRole('alert');
    await expect.poll(() => alert.getByRole('heading').textContent()).toBe('Tallylight could not start');
    await expect
      .poll(() => alert.getByRole('paragraph').first().textContent())
      .toContain(`Another Tallylight is using the data folder ${folder.path}`);
    await closeWindow(host);
    expect(await host.exited).toBe(1);
  });
});

describe.concurrent(`The desktop app's start without a keychain, on ${electronBinary ?? "Electron's stand-in"}`, () => {
  test.runIf(process.platform === 'linux').each([
    { answer: 'Quit', opens: false },
    { answer: 'Continue without', opens: true },
  ])('explains what is missing; $answer', async ({ answer, opens }) => {
    await using app = await startApp(({ path }) => ({
      ...isPreparedFirst,
      TALLYLIGHT_SECRETS: 'os',
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(path, 'nothing')}`,
    }));
    const { host } = app;
    const asked = host.inMain(
      ({ dialog }, chosen) =>
        new Promise((resolve) => {
          dialog.showMessageBox = async (...given: unknown[]) => {
            const { message, buttons = [] } = given.at(-1) as Electron.MessageBoxOptions;
            const [parent] = given as [Electron.BrowserWindow];
            resolve({ message, buttons, hasParent: given.length === 2 && parent.isVisible() });
            return { response: buttons.indexOf(chosen), checkboxChecked: false };
          };
        }),
      answer,
    );
    expect(await asked).toEqual({
      message: "Stream keys can't be stored on this computer.",
      buttons: ['Quit', 'Continue without'],
      hasParent: true,
    });
    if (opens) await openedPage(host);
    else expect(await host.exited).toBe(0);
  });
});
