import type { Page } from 'playwright-core';
import { describe, test } from 'vitest';
import { smallPage } from '../support/browser-ui.ts';
import { type ElectronHost, electronBinary } from '../support/electron-host.ts';
import { closeWindow, openedPage, startApp } from '../support/electron-stage.ts';
import { streamsPage } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

/** Opens Studio of a new stream. */
async function openStudio(host: ElectronHost): Promise<Page> {
  const page = await openedPage(host);
  await page.setViewportSize(smallPage);
  await page.getByRole('link', { name: 'New stream' }).click();
  await streamsPage(page).name.fill('Sunday show');
  await streamsPage(page).create.click();
  await studioPage(page).goLive.waitFor();
  return page;
}

/** How many windows the app has, and whether each is to be seen. */
const windows = (host: ElectronHost) =>
  host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isVisible()));

// Chromium's fake devices are part of the stand-in.
describe.runIf(electronBinary === undefined).concurrent("Captures of the desktop app, on Electron's stand-in", () => {
  test('a camera is captured in a hidden window, goes live, and outlives a reload of the screens', async ({ expect }) => {
    await using app = await startApp();
    const { host } = app;
    const page = await openStudio(host);
    const studio = studioPage(page);
    await studio.source('Camera').click();
    await page.getByRole('button', { name: 'Camera, by this app…' }).click();
    await expect.poll(() => studio.device('Camera').textContent()).toBe('fake_device_0');
    expect(await windows(host)).toEqual([true, false]);
    await studio.encodeSlowly();
    await studio.goLive.click();
    await studio.seePicture();
    await page.reload();
    await studio.seePicture();
    expect(await windows(host)).toEqual([true, false]);
    await studio.stopBroadcast();
    await closeWindow(host);
    expect(await host.exited).toBe(0);
  });

  test('on Wayland a screen is shared by the portal alone, and a page other than the capture window gets nothing', async ({
    expect,
  }) => {
    await using app = await startApp(() => ({ XDG_SESSION_TYPE: 'wayland' }));
    const { host } = app;
    const page = await openStudio(host);
    const studio = studioPage(page);
    for (const open of ['getUserMedia', 'getDisplayMedia'] as const) {
      const refusal = await page.evaluate(
        (method) => navigator.mediaDevices[method]({ video: true }).catch((error: Error) => error.name),
        open,
      );
      expect(refusal).toBe('NotAllowedError');
    }
    await studio.source('Screen').click();
    await page.getByRole('button', { name: 'Share a screen…' }).click();
    await expect.poll(() => studio.device('Screen').textContent()).toBe('Screen');
    await page.getByRole('status').filter({ hasText: 'Choose what to share' }).waitFor({ state: 'detached' });
    await studio.previewed.waitFor();
  });
});
