import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { smallPage } from '../support/browser-ui.ts';
import { type ElectronHost, electronBinary } from '../support/electron-host.ts';
import { answerQuestions, onAirQuestion, readQuestions } from '../support/electron-questions.ts';
import { closeWindow, openedPage, startApp } from '../support/electron-stage.ts';
import { makePathWithoutFfmpeg, makeStaticFfmpeg } from '../support/odd-ffmpeg.ts';
import { streamsPage } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

const mediaFolder = fileURLToPath(new URL('../fixtures/media', import.meta.url));

/** Opens Studio of a new stream without renditions: with them, a busy computer can't encode in real time. */
async function openStudio(host: ElectronHost): Promise<Page> {
  const page = await openedPage(host);
  await page.setViewportSize(smallPage);
  await page.getByRole('link', { name: 'New stream' }).click();
  const { name, ladder, create } = streamsPage(page);
  await name.fill('Sunday show');
  await ladder('Source only').click();
  await create.click();
  await studioPage(page).goLive.waitFor();
  return page;
}

/** Drops files of this computer onto the middle of the page, as a file manager does. */
async function dropFiles(page: Page, files: string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const at = { x: smallPage.width / 2, y: smallPage.height / 2 };
  const copy = 1;
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, ...at, data: { items: [], files, dragOperationsMask: copy } });
  }
  await devtools.detach();
}

/** How many windows the app has, and whether each is to be seen. */
const windows = (host: ElectronHost) =>
  host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isVisible()));

/** Which pages the hidden windows have: a window that is opened again has another. */
const captureWindows = (host: ElectronHost) =>
  host.inMain(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().flatMap((window) => (window.isVisible() ? [] : [window.webContents.id])),
  );

/** Studio, with the camera as the source that the app's own window captures. */
async function captureCamera(host: ElectronHost) {
  const page = await openStudio(host);
  const studio = studioPage(page);
  await studio.source('Camera').click();
  await page.getByRole('button', { name: 'Camera, by this app…' }).click();
  return { page, studio };
}

// Chromium's fake devices are part of the stand-in.
describe.runIf(electronBinary === undefined).concurrent("Captures of the desktop app, on Electron's stand-in", () => {
  test('a capture window that keeps crashing is closed, says so, and is opened again on request', async ({ expect }) => {
    await using app = await startApp();
    const { host } = app;
    const { page, studio } = await captureCamera(host);
    await studio.previewed.waitFor();
    await host.inMain(({ BrowserWindow }) => {
      const hidden = BrowserWindow.getAllWindows().find((window) => !window.isVisible());
      for (let count = 0; count < 6; count += 1)
        hidden!.webContents.emit('render-process-gone', { preventDefault() {} }, { reason: 'crashed', exitCode: 1 });
    });
    const trouble = page.getByRole('status').filter({ hasText: 'Capturing the camera keeps crashing.' });
    await trouble.waitFor();
    expect(await windows(host)).toEqual([true]);
    await trouble.getByRole('button', { name: 'Try again' }).click();
    await trouble.waitFor({ state: 'detached' });
    await studio.previewed.waitFor();
    expect(await windows(host)).toEqual([true, false]);
  });

  test('a file dropped onto the window is played from where it is', async ({ expect }) => {
    await using app = await startApp(() => ({ ELECTRON_STAND_IN_DROP_FOLDER: mediaFolder }));
    const { host } = app;
    const page = await openStudio(host);
    const studio = studioPage(page);
    const film = join(mediaFolder, 'eight-seconds.flv');
    await dropFiles(page, [film]);
    await expect.poll(() => studio.source('Files').getAttribute('aria-checked')).toBe('true');
    expect(await studio.filePath.inputValue()).toBe(film);
    await studio.previewed.waitFor();
    // The page stays: Chromium would open the file.
    expect(await page.getByRole('main').isVisible()).toBe(true);
  });

  test('on X11 without an ffmpeg for it, the app lists the screens and captures them itself', async ({ expect }) => {
    const [staticBuild, path] = await Promise.all([makeStaticFfmpeg(), makePathWithoutFfmpeg()]);
    await using app = await startApp(() => ({
      XDG_SESSION_TYPE: 'x11',
      WAYLAND_DISPLAY: '',
      DISPLAY: ':0',
      TALLYLIGHT_FFMPEG: staticBuild,
      PATH: path,
    }));
    const page = await openStudio(app.host);
    const studio = studioPage(page);
    await studio.source('Screen').click();
    await page.getByText("The ffmpeg that Tallylight uses can't capture screens.").waitFor();
    await studio.device('Screen').click();
    await page.getByRole('option', { name: 'Screen 1' }).click();
    await studio.previewed.waitFor();
    expect(await windows(app.host)).toEqual([true, false]);
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

// One at a time: each captures, encodes and shows its picture.
describe.runIf(electronBinary === undefined)("Captures of the desktop app that are live, on Electron's stand-in", () => {
  test('a camera is captured in a hidden window, goes live, and outlives a reload of the screens', async () => {
    await using app = await startApp();
    const { host } = app;
    const { page, studio } = await captureCamera(host);
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

  test('a quit that the user takes back ends no capture, and one that is agreed to ends the app', async () => {
    await using app = await startApp();
    const { host } = app;
    const { studio } = await captureCamera(host);
    await studio.previewed.waitFor();
    await studio.encodeSlowly();
    await studio.goLive.click();
    await studio.seePicture();
    const before = await captureWindows(host);
    expect(before).toHaveLength(1);
    await answerQuestions(host, 'Keep streaming');
    await host.inMain(({ app }) => app.quit());
    await expect.poll(() => readQuestions(host)).toEqual([onAirQuestion]);
    await studio.seePicture();
    expect(await captureWindows(host)).toEqual(before);
    await answerQuestions(host, 'Stop and quit');
    await host.inMain(({ app }) => app.quit());
    expect(await host.exited).toBe(0);
  });
});
