import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultDataFolder } from './default-data-folder.ts';

const home = '/home/ann';

test('Linux data lives under XDG_DATA_HOME, and under ~/.local/share without one or with a relative one', () => {
  expect(defaultDataFolder({ platform: 'linux', env: { XDG_DATA_HOME: '/data' }, home })).toBe('/data/tallylight');
  expect(defaultDataFolder({ platform: 'linux', env: {}, home })).toBe('/home/ann/.local/share/tallylight');
  expect(defaultDataFolder({ platform: 'linux', env: { XDG_DATA_HOME: 'data' }, home })).toBe(
    '/home/ann/.local/share/tallylight',
  );
});

test('macOS data lives in Application Support', () => {
  expect(defaultDataFolder({ platform: 'darwin', env: {}, home })).toBe('/home/ann/Library/Application Support/Tallylight');
});

test('Windows data lives in the local, not the roaming, application data', () => {
  expect(defaultDataFolder({ platform: 'win32', env: { LOCALAPPDATA: '/local' }, home })).toBe(join('/local', 'Tallylight'));
  expect(defaultDataFolder({ platform: 'win32', env: {}, home })).toBe(join(home, 'AppData', 'Local', 'Tallylight'));
});
