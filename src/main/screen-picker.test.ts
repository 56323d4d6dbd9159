import { expect, test, vi } from 'vitest';

vi.mock('electron', () => ({ desktopCapturer: {} }));
const { findScreenPicker, hasSystemSound } = await import('./screen-picker.ts');

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
