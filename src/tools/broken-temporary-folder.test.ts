import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getElectronBinary } from './electron-download.ts';
import { openBrowser } from './open-browser.ts';

describe.runIf(process.platform === 'linux')('a temporary folder that cannot be used', () => {
  beforeEach(() => {
    vi.stubEnv('TMPDIR', '/proc/none');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  test('opens no browser', () => {
    vi.stubEnv('DISPLAY', ':0');
    // Neither xdg-settings nor a browser is found.
    vi.stubEnv('PATH', '/proc/none');
    expect(openBrowser('http://127.0.0.1/')).toBeUndefined();
  });

  test('is why Electron is missing', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', '/proc/none');
    expect(await getElectronBinary(new AbortController().signal)).toEqual({
      kind: 'missing',
      reason: expect.stringMatching(/^the temporary folder \/proc\/none can't be used: ENOENT/),
    });
  });
});
