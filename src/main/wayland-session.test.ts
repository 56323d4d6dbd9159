import { expect, test } from 'vitest';
import { completeWaylandSession, isWayland } from './wayland-session.ts';

/** When WebRTC takes a session for Wayland's (`DesktopCapturer::IsRunningUnderWayland`). */
const isWaylandToWebRtc = ({ XDG_SESSION_TYPE: type, WAYLAND_DISPLAY: display }: NodeJS.ProcessEnv) =>
  type?.startsWith('wayland') === true && display !== undefined;

test.each<[session: string, env: NodeJS.ProcessEnv, completed: NodeJS.ProcessEnv]>([
  ['a login screen starts', { XDG_SESSION_TYPE: 'wayland', WAYLAND_DISPLAY: 'wayland-1' }, {}],
  ['is started on a console', { XDG_SESSION_TYPE: 'tty', WAYLAND_DISPLAY: 'wayland-1' }, { XDG_SESSION_TYPE: 'wayland' }],
  ['has no login', { WAYLAND_DISPLAY: 'wayland-1' }, { XDG_SESSION_TYPE: 'wayland' }],
  ['is inside an X11 one', { XDG_SESSION_TYPE: 'x11', WAYLAND_DISPLAY: 'wayland-1' }, { XDG_SESSION_TYPE: 'wayland' }],
  ['has the usual socket', { XDG_SESSION_TYPE: 'wayland' }, { WAYLAND_DISPLAY: 'wayland-0' }],
])('a Wayland session that %s is one to Chromium, too', (_session, env, completed) => {
  expect(isWayland(env)).toBe(true);
  expect(completeWaylandSession('linux', env)).toEqual(completed);
  expect(isWaylandToWebRtc({ ...env, ...completed })).toBe(true);
});

test.each<[NodeJS.Platform, NodeJS.ProcessEnv]>([
  ['linux', { XDG_SESSION_TYPE: 'x11', DISPLAY: ':0' }],
  ['linux', { XDG_SESSION_TYPE: 'tty' }],
  ['linux', { XDG_SESSION_TYPE: 'x11', WAYLAND_DISPLAY: '' }],
  ['darwin', { WAYLAND_DISPLAY: 'wayland-0' }],
])('nothing is made of another session: on %s with %j', (platform, env) => {
  expect(completeWaylandSession(platform, env)).toEqual({});
  expect(isWaylandToWebRtc(env)).toBe(false);
});
