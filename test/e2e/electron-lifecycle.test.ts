import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type * as Electron from 'electron';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockDataFolder } from '../../src/service/lib/data-folder-lock.ts';
import { contractPortMessage } from '../../src/shared/contract-port.ts';
import { type ElectronHost, electronBinary, startElectronHost } from '../support/electron-host.ts';
import { type AppFolder, makeAppFolder, openedPage } from '../support/electron-stage.ts';
import { streamsPage } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

let folder: AppFolder;
let host: ElectronHost;

/** Creates a stream with one small rendition and goes live with the test picture, by clicks. */
async function goLive(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'New stream' }).click();
  const streams = streamsPage(page);
  await streams.name.fill(name);
  await streams.ladder('Custom').click();
  for (const index of [3, 2]) await streams.dialog.getByRole('button', { name: `Remove rendition ${index}` }).click();
  for (const [field, value] of Object.entries({ Width: '228', Height: '128', Bitrate: '150' }))
    await streams.rendition(1).getByRole('textbox', { name: field }).fill(value);
  await streams.create.click();
  await page.getByRole('button', { name: 'Go live' }).click();
  await page.getByRole('timer', { name: 'On air for' }).waitFor();
}

/** Process ids of the app's ffmpeg processes. */
function findEncoders(): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' }).split('\n');
  return processes.flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === host.pid && command?.includes('ffmpeg') ? [Number(pid)] : [];
  });
}

/** The two ffmpeg processes of a broadcast, once both run: one encodes the test picture, one its renditions. */
async function awaitEncoders(): Promise<number[]> {
  await expect.poll(findEncoders, { timeout: 20_000 }).toHaveLength(2);
  return findEncoders();
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe(`Electron starting and quitting, on ${electronBinary ?? "Electron's stand-in"}`, () => {
  beforeEach(async () => {
    folder = await makeAppFolder();
  });
  afterEach(async () => {
    await host[Symbol.asyncDispose]();
    await folder.remove();
  });

  test('the window opens where it was closed', async () => {
    const wanted = { x: 120, y: 90, width: 1000, height: 700 };
    host = await startElectronHost(folder.environment);
    await openedPage(host);
    const read = () =>
      host.inMain(({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows();
        return { bounds: window!.getNormalBounds(), maximized: window!.isMaximized(), visible: window!.isVisible() };
      });
    await host.inMain(({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]!.setBounds(wanted), wanted);
    // The window manager's frame may shift the window once; after that it keeps its position.
    const { bounds } = await read();
    for (let start = 0; start < 2; start += 1) {
      await host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
      expect(await host.exited).toBe(0);
      host = await startElectronHost(folder.environment);
      await openedPage(host);
      expect(await read()).toEqual({ bounds, maximized: false, visible: true });
    }
    await host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.maximize());
    await host.inMain(({ app }) => app.quit());
    expect(await host.exited).toBe(0);

    host = await startElectronHost(folder.environment);
    await openedPage(host);
    expect(await read()).toEqual({ bounds, maximized: true, visible: true });
  });

  test('the window shows why the service cannot start, and the app exits with 1', async () => {
    const lock = lockDataFolder(folder.path);
    host = await startElectronHost(folder.environment);
    const page = await host.window();
    const alert = page.getByRole('alert');
    await expect.poll(() => alert.getByRole('heading').textContent()).toBe('Tallylight could not start');
    await expect
      .poll(() => alert.getByRole('paragraph').first().textContent())
      .toContain(`Another Tallylight is using the data folder ${folder.path}`);
    await host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
    expect(await host.exited).toBe(1);
    lock.close();
  });

  test('two clicks take a new stream on air, and the monitor plays it', async () => {
    host = await startElectronHost(folder.environment);
    const page = await openedPage(host);
    await page.getByRole('link', { name: 'New stream' }).click();
    await streamsPage(page).name.fill('Sunday show');
    await streamsPage(page).create.click();
    await page.getByRole('button', { name: 'Go live' }).click();
    await page.locator('[aria-label^="Monitor"][data-state="playing"]').waitFor();
    await page.waitForFunction(() => {
      const { currentTime = 0, videoWidth = 0 } = document.querySelector('video') ?? {};
      return currentTime > 1 && videoWidth === 1280;
    });
  });

  test('closing while on air asks first; Keep streaming changes nothing, Stop and quit ends service and ffmpeg in under 5 s', async () => {
    host = await startElectronHost(folder.environment);
    const page = await openedPage(host);
    await goLive(page, 'Sunday show');
    const encoders = await awaitEncoders();

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
      detail: 'Sunday show: closing Tallylight ends the broadcast for everyone watching.',
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

  test("closing asks first even if a full disk prevents saving the window's position", async () => {
    // A folder of the same name makes the write fail, as a full disk would.
    await mkdir(join(folder.path, 'window.json.new'));
    host = await startElectronHost(folder.environment);
    await goLive(await openedPage(host), 'Sunday show');
    const asked = host.inMain(
      ({ dialog, BrowserWindow }) =>
        new Promise((resolve) => {
          dialog.showMessageBox = async (...given: unknown[]) => {
            const { message, buttons = [] } = given.at(-1) as Electron.MessageBoxOptions;
            resolve(message);
            return { response: buttons.indexOf('Stop and quit'), checkboxChecked: false };
          };
          BrowserWindow.getAllWindows()[0]!.close();
        }),
    );
    expect(await asked).toBe('You are on air.');
    expect(await host.exited).toBe(0);
  });

  test('the computer is kept awake while on air, and only then', async () => {
    host = await startElectronHost(folder.environment);
    const page = await openedPage(host);
    await host.inMain(({ powerSaveBlocker }) => {
      const kept = new Set<number>();
      const { start, stop } = powerSaveBlocker;
      Object.assign(globalThis, { kept });
      powerSaveBlocker.start = (kind) => {
        const id = start.call(powerSaveBlocker, kind);
        kept.add(id);
        return id;
      };
      powerSaveBlocker.stop = (id) => kept.delete(id) && stop.call(powerSaveBlocker, id);
    });
    const isKeptAwake = () => host.inMain(() => (globalThis as unknown as { kept: Set<number> }).kept.size === 1);
    expect(await isKeptAwake()).toBe(false);
    await goLive(page, 'Sunday show');
    await expect.poll(isKeptAwake).toBe(true);
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1);
    // Any sooner, this would count as a second press of Go live.
    await page.waitForTimeout(1_500);
    await studioPage(page).stopBroadcast();
    await expect.poll(isKeptAwake).toBe(false);
  });

  test('a page that keeps crashing is reloaded only when the user agrees', async () => {
    host = await startElectronHost(folder.environment);
    await openedPage(host);
    const seen = await host.inMain(
      ({ BrowserWindow, dialog }) =>
        new Promise<{ asked: string[]; reloads: number[] }>((resolve) => {
          const { webContents } = BrowserWindow.getAllWindows()[0]!;
          const asked: string[] = [];
          const reloads: number[] = [];
          const crash = () =>
            webContents.emit('render-process-gone', { preventDefault() {} }, { reason: 'crashed', exitCode: 1 });
          dialog.showMessageBox = async (...given: unknown[]) => {
            const { message, buttons = [] } = given.at(-1) as Electron.MessageBoxOptions;
            asked.push(message);
            return { response: buttons.indexOf('Reload the screens'), checkboxChecked: false };
          };
          webContents.reload = () => {
            reloads.push(asked.length);
            // The count starts over, so the next crash reloads without asking.
            if (reloads.length === 1) crash();
            else resolve({ asked, reloads });
          };
          for (let count = 0; count < 6; count += 1) crash();
        }),
    );
    expect(seen).toEqual({ asked: ['The screens keep crashing.'], reloads: [1, 1] });
  });

  test('a crashed page is reloaded, and the stream stays on air', async () => {
    host = await startElectronHost(folder.environment);
    await goLive(await openedPage(host), 'Sunday show');
    const encoders = await awaitEncoders();
    await host.inMain(
      ({ BrowserWindow, ipcMain }, channel) =>
        new Promise<void>((resolve) => {
          // The new page is running once it asks for the contract.
          ipcMain.once(channel, () => resolve());
          BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer();
        }),
      contractPortMessage,
    );
    expect(findEncoders()).toEqual(encoders);
  });

  test.each([
    ['SIGTERM', () => process.kill(host.pid, 'SIGTERM')],
    ['SIGINT', () => process.kill(host.pid, 'SIGINT')],
    [
      'the end of the Windows session',
      () => host.inMain(({ BrowserWindow }) => void setImmediate(() => BrowserWindow.getAllWindows()[0]!.emit('session-end'))),
    ],
  ])('%s while on air exits with 0 in under 5 s, without asking', async (_what, endIt) => {
    host = await startElectronHost(folder.environment);
    await goLive(await openedPage(host), 'Sunday show');
    const encoders = await awaitEncoders();
    const endedAtMs = Date.now();
    await endIt();
    expect(await host.exited).toBe(0);
    expect(Date.now() - endedAtMs).toBeLessThan(5_000);
    expect(encoders.filter(isRunning)).toEqual([]);
  });

  test('the app survives the loss of its output; a bug exits with 1 in under 5 s, even if not everything can be closed', async () => {
    host = await startElectronHost(folder.environment);
    await openedPage(host);
    const lost = () =>
      host.inMain(() => [process.stdout, process.stderr].map((output) => output.emit('error', new Error('write EPIPE'))));
    expect(await lost()).toEqual([true, true]);
    const endedAtMs = Date.now();
    await host.inMain(() => {
      const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
      DatabaseSync.prototype.close = () => {
        throw new Error('The store cannot be closed.');
      };
      setImmediate(() => {
        throw new Error('A bug.');
      });
    });
    expect(await host.exited).toBe(1);
    expect(Date.now() - endedAtMs).toBeLessThan(5_000);
    const logs = join(folder.path, 'logs');
    const fatal = readdirSync(logs)
      .flatMap((file) => readFileSync(join(logs, file), 'utf8').split('\n'))
      .filter((line) => line.includes('"level":60'))
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(fatal).toEqual(['Tallylight ended because of an internal error.', 'Tallylight could not close everything.']);
  });

  test.runIf(process.platform === 'linux').each([
    { answer: 'Quit', opens: false },
    { answer: 'Continue without', opens: true },
  ])('without a keychain the app explains what is missing; $answer', async ({ answer, opens }) => {
    const noKeyring = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder.path, 'nothing')}` };
    host = await startElectronHost({ ...folder.environment, TALLYLIGHT_SECRETS: 'os', ...noKeyring });
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
