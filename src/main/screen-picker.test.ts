import { expect, test, vi } from 'vitest';
import { PageDevice } from '../shared/model/page-capture.ts';

const getSources = vi.fn<() => Promise<{ id: string; name: string }[]>>();
vi.mock('electron', () => ({ desktopCapturer: { getSources } }));
// Another file of this worker may have loaded it, with its own Electron.
vi.resetModules();
const { findScreenPicker, hasSystemSound, listAllowedScreens, listScreens } = await import('./screen-picker.ts');

test.each<[NodeJS.Platform, NodeJS.ProcessEnv, string, string]>([
  ['darwin', {}, '24.1.0', 'asks'],
  ['darwin', {}, '23.6.0', 'list'],
  ['win32', {}, '10.0.26100', 'list'],
  ['linux', { XDG_SESSION_TYPE: 'wayland' }, '6.12', 'asks'],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, '6.12', 'asks'],
  ['linux', { XDG_SESSION_TYPE: 'x11', DISPLAY: ':0' }, '6.12', 'list'],
])('on %s with %j, release %s, the picker is: %s', (platform, env, release, picker) => {
  expect(findScreenPicker({ platform, env }, release)).toBe(picker);
});

test('what the computer plays is captured with a screen where Electron can', () => {
  expect((['win32', 'darwin', 'linux'] as const).map(hasSystemSound)).toEqual([true, true, false]);
});

test('no screen is listed while the system refuses them', async () => {
  getSources.mockClear();
  expect(await listAllowedScreens(() => true)).toBe('refused');
  expect(getSources).not.toHaveBeenCalled();
  getSources.mockResolvedValue([{ id: 'screen:1:0', name: 'Screen 1' }]);
  expect(await listAllowedScreens(() => false)).toEqual([{ of: 'screen', id: 'screen:1:0', name: 'Screen 1' }]);
});

test('a window with a title of any length can be listed, and one without', async () => {
  const title = 'x'.repeat(4_096);
  getSources.mockResolvedValue([
    { id: 'screen:1:0', name: 'Screen 1' },
    { id: 'window:7:0', name: title },
    { id: 'window:8:0', name: '' },
    { id: 'window:9:0', name: `x${'🎥'.repeat(1_024)}` },
  ]);
  const listed = await listScreens();
  expect(listed.map((device) => PageDevice.parse(device))).toEqual([
    { of: 'screen', id: 'screen:1:0', name: 'Screen 1' },
    { of: 'window', id: 'window:7:0', name: title.slice(0, 1_024) },
    { of: 'window', id: 'window:8:0', name: 'window:8:0' },
    { of: 'window', id: 'window:9:0', name: `x${'🎥'.repeat(1_023)}` },
  ]);
});
