import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test } from 'vitest';
import { contractPortMessage } from '../../src/shared/contract-port.ts';
import { awaitEncoders, findEncoders, goLive } from '../support/electron-broadcast.ts';
import { type ElectronHost, electronBinary } from '../support/electron-host.ts';
import { openedPage, startApp } from '../support/electron-stage.ts';
import { streamsPage } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';
import { keepWakeLocks } from '../support/wake-locks.ts';

/** A press of Stop sooner after Go live counts as the second one of a double press. */
const doublePressMs = 1_500;

/** Returns whether the app keeps the computer awake, as asked of Electron from now on. */
async function watchPowerSaveBlocker(host: ElectronHost): Promise<() => Promise<boolean>> {
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
  return () => host.inMain(() => (globalThis as unknown as { kept: Set<number> }).kept.size === 1);
}

describe(`A broadcast in the desktop app, on ${electronBinary ?? "Electron's stand-in"}`, () => {
  test('two clicks take a new stream on air, the monitor plays it, the computer is kept awake, and its display by the tally view', async ({
    expect,
  }) => {
    await using app = await startApp();
    const page = await openedPage(app.host);
    const isKeptAwake = await watchPowerSaveBlocker(app.host);
    expect(await isKeptAwake()).toBe(false);
    const locks = await keepWakeLocks(page);
    await page.getByRole('link', { name: 'New stream' }).click();
    await streamsPage(page).name.fill('Sunday show');
    await streamsPage(page).create.click();
    await page.getByRole('button', { name: 'Go live' }).click();
    const wentLiveAtMs = performance.now();
    await expect.poll(isKeptAwake).toBe(true);
    await page.locator('[aria-label^="Monitor"][data-state="playing"]').waitFor();
    await page.waitForFunction(() => {
      const { currentTime = 0, videoWidth = 0 } = document.querySelector('video') ?? {};
      return currentTime > 1 && videoWidth === 1280;
    });
    expect(await locks.held()).toBe(0);
    await page.keyboard.press('t');
    await locks.untilHeld(1);
    await page.keyboard.press('t');
    await locks.untilHeld(0);
    await sleep(Math.max(0, wentLiveAtMs + doublePressMs - performance.now()));
    await studioPage(page).stopBroadcast();
    await expect.poll(isKeptAwake).toBe(false);
  });

  test('a crashed page is reloaded, and the stream stays on air', async ({ expect }) => {
    await using app = await startApp();
    await goLive(await openedPage(app.host), 'Sunday show');
    const encoders = await awaitEncoders(app.host);
    await app.host.inMain(
      ({ BrowserWindow, ipcMain }, channel) =>
        new Promise<void>((resolve) => {
          // The new page is running once it asks for the contract.
          ipcMain.once(channel, () => resolve());
          BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer();
        }),
      contractPortMessage,
    );
    expect(await findEncoders(app.host)).toEqual(encoders);
  });
});
