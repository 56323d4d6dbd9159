import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { ElectronHost } from './electron-host.ts';

/** A data folder for the app alone. */
export interface AppFolder {
  path: string;
  /** The environment that names it; secrets are in memory. */
  environment: Record<string, string>;
  remove(): Promise<void>;
}

/** Makes one under the system's temporary folder. */
export async function makeAppFolder(): Promise<AppFolder> {
  const path = await mkdtemp(join(tmpdir(), 'electron-host-'));
  return {
    path,
    environment: { TALLYLIGHT_DATA_DIR: path, TALLYLIGHT_SECRETS: 'memory' },
    // Chromium may still be writing its last files when the app has ended.
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

/** What only the contract can have told the screens. */
export const regionOn = (page: Page) => page.getByTitle('This computer', { exact: true });

/** The app's page, once its screens show what the service says. */
export async function openedPage(host: ElectronHost): Promise<Page> {
  const page = await host.window();
  await regionOn(page).waitFor();
  return page;
}
