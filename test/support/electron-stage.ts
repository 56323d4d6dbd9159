import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { ElectronHost } from './electron-host.ts';

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
