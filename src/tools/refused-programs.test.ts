import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeRefusedProgram } from '../../test/support/refused-program.ts';
import { runElectron } from './electron-host.ts';
import { openBrowser } from './open-browser.ts';

describe.runIf(process.platform === 'linux')('a program that the system refuses to run', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tallylight-refused-'));
    vi.stubEnv('DISPLAY', ':0');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  test('is an Electron that does not start here', async () => {
    vi.spyOn(process, 'getuid').mockReturnValue(1000);
    vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', folder);
    writeRefusedProgram(join(folder, 'electron'));
    expect(await runElectron(new AbortController().signal)).toEqual({
      kind: 'unavailable',
      reason: 'Electron does not start here',
    });
  });

  test('is a browser that is not opened', () => {
    vi.stubEnv('PATH', folder);
    vi.stubEnv('TMPDIR', folder);
    writeRefusedProgram(join(folder, 'xdg-open'));
    const remove = openBrowser('http://127.0.0.1/');
    remove?.();
    expect(readdirSync(folder)).toEqual(['xdg-open']);
  });
});
