import fs, { mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defaultDataFolder, openDataFolder } from './data-folder.ts';

test.each([
  ['linux', {}, '/home/ada/.local/share/tallylight'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/tallylight'],
  ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ada/.local/share/tallylight'],
  ['darwin', {}, '/home/ada/Library/Application Support/Tallylight'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/Tallylight'],
  ['win32', {}, '/home/ada/AppData/Roaming/Tallylight'],
] as const)('on %s with %j the data folder is %s', (platform, env, folder) => {
  expect(defaultDataFolder(platform, env, '/home/ada')).toBe(normalize(folder));
});

test.runIf(process.platform === 'linux')('a folder that cannot be created, or is a file, is an error that names it', () => {
  for (const path of ['/proc/tallylight/data', '/etc/hostname']) {
    expect(() => openDataFolder(path)).toThrow(
      expect.objectContaining({
        code: 'UNAVAILABLE',
        details: { startFault: { code: 'folder-unusable', path, text: expect.stringMatching(/^E/) } },
      }),
    );
  }
});

test('a folder of another user that we may write, as on a mounted volume, is used as it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'data-folder-'));
  const refusing = vi.spyOn(fs, 'chmodSync').mockImplementation((path) => {
    throw Object.assign(new Error(`EPERM: operation not permitted, chmod '${path}'`), { code: 'EPERM' });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    refusing.mockRestore();
    syncBuiltinESMExports();
    rmSync(folder, { recursive: true });
  });
  expect(openDataFolder(folder)).toBe(folder);
  expect(refusing).toHaveBeenCalledWith(folder, 0o700);
});
