import { expect, test } from 'vitest';
import { defaultDataFolder } from './data-folder.ts';

test.each([
  ['linux', {}, '/home/ada/.local/share/tallylight'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/tallylight'],
  ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ada/.local/share/tallylight'],
  ['darwin', {}, '/home/ada/Library/Application Support/Tallylight'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/Tallylight'],
  ['win32', {}, '/home/ada/AppData/Roaming/Tallylight'],
] as const)('on %s with %j data lives in %s', (platform, env, folder) => {
  expect(defaultDataFolder(platform, env, '/home/ada')).toBe(folder);
});
