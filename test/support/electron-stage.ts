import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type ElectronHost, startElectronHost } from './electron-host.ts';
import { copyProbes } from './probed-ffmpeg.ts';

/** A data folder for one app. */
export interface AppFolder {
  path: string;
  /** Environment variables that point to it; secrets are kept in memory. */
  environment: Record<string, string>;
  remove(): Promise<void>;
}

/** Creates one in the system's temporary folder. */
export async function makeAppFolder(): Promise<AppFolder> {
  const path = await mkdtemp(join(tmpdir(), 'electron-host-'));
  await copyProbes(path);
  return {
    path,
    environment: { TALLYLIGHT_DATA_DIR: path, TALLYLIGHT_SECRETS: 'memory' },
    // Chromium may still be writing its last files after the app has exited.
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

/** Text the screens can only have received through the contract. */
export const regionOn = (page: Page) => page.getByTitle('This computer', { exact: true });

/** The app's page, once its screens show the service's state. */
export async function openedPage(host: ElectronHost): Promise<Page> {
  const page = await host.window();
  await regionOn(page).waitFor();
  return page;
}

/** For an app that the first `inMain` prepares and that isn't ready before. Playwright holds real Electron until it controls it. */
export const isPreparedFirst = { ELECTRON_STAND_IN_AWAITS_TEST: '1' };

/** The built app on its own data folder. */
export interface StartedApp extends AsyncDisposable {
  folder: AppFolder;
  host: ElectronHost;
}

/** Starts one; `environment` is added to that of its folder. Ends with it, and its folder is removed. */
export async function startApp(environment: (folder: AppFolder) => Record<string, string> = () => ({})): Promise<StartedApp> {
  const folder = await makeAppFolder();
  const host = await startElectronHost({ ...folder.environment, ...environment(folder) });
  return {
    folder,
    host,
    [Symbol.asyncDispose]: async () => {
      await host[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

/** Closes the window, as its close button does. */
export const closeWindow = (host: ElectronHost) =>
  host.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());

/** Types another port in Settings without saving it. */
export async function editPort(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('textbox', { name: /^RTMP port/ }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.getByText('Unsaved changes').waitFor();
}
