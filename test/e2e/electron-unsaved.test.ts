import type * as Electron from 'electron';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ElectronHost, electronBinary, startElectronHost } from '../support/electron-host.ts';
import { type AppFolder, makeAppFolder, openedPage } from '../support/electron-stage.ts';

let folder: AppFolder;
let host: ElectronHost;
let page: Page;

/** The questions asked so far. Each gets the first of its buttons that is among `answers`. */
const readAsked = () => host.inMain(() => (globalThis as unknown as { asked: string[] }).asked);

async function answer(...answers: string[]): Promise<void> {
  await host.inMain(({ dialog }, chosen) => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    dialog.showMessageBox = async (...given: unknown[]) => {
      const { message, buttons = [] } = given.at(-1) as Electron.MessageBoxOptions;
      asked.push(message);
      return { response: buttons.findIndex((button) => chosen.includes(button)), checkboxChecked: false };
    };
  }, answers);
}

/** Types another port without saving it. */
async function editPort(): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('textbox', { name: /^RTMP port/ }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.getByText('Unsaved changes').waitFor();
}

const closeWindow = () => host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
const unsaved = "Your changes to the settings aren't saved.";

describe(`Unsaved settings, on ${electronBinary ?? "Electron's stand-in"}`, () => {
  beforeEach(async () => {
    folder = await makeAppFolder();
    host = await startElectronHost(folder.environment);
    page = await openedPage(host);
    await editPort();
  });
  afterEach(async () => {
    await host[Symbol.asyncDispose]();
    await folder.remove();
  });

  test('closing the window or quitting asks first, and follows the answer', async () => {
    await answer('Keep editing');
    await closeWindow();
    await expect.poll(readAsked).toEqual([unsaved]);
    await host.inMain(({ app }) => app.quit());
    await expect.poll(readAsked).toEqual([unsaved, unsaved]);
    await page.getByText('Unsaved changes').waitFor();

    await answer('Discard and close');
    await closeWindow();
    expect(await host.exited).toBe(0);
  });

  test.each([
    ['SIGTERM', () => process.kill(host.pid, 'SIGTERM')],
    [
      'the end of the Windows session',
      () => host.inMain(({ BrowserWindow }) => void setImmediate(() => BrowserWindow.getAllWindows()[0]!.emit('session-end'))),
    ],
  ])('%s exits with 0 in under 5 s, without asking', async (_what, endIt) => {
    const endedAtMs = Date.now();
    await endIt();
    expect(await host.exited).toBe(0);
    expect(Date.now() - endedAtMs).toBeLessThan(5_000);
  });
});

test('Stop and quit while on air does not also ask about settings', async () => {
  folder = await makeAppFolder();
  host = await startElectronHost(folder.environment);
  try {
    page = await openedPage(host);
    await page.getByRole('link', { name: 'New stream' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Sunday show');
    await page.getByRole('radio', { name: 'Source only' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Go live' }).click();
    await page.getByRole('timer', { name: 'On air for' }).waitFor();
    await editPort();
    await answer('Stop and quit', 'Keep editing');
    await closeWindow();
    expect(await host.exited).toBe(0);
  } finally {
    await host[Symbol.asyncDispose]();
    await folder.remove();
  }
});
