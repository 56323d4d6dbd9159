/** Whether the desktop is Wayland's. */
export function isWayland(env: NodeJS.ProcessEnv): boolean {
  return hasWaylandType(env) || (env.WAYLAND_DISPLAY ?? '') !== '';
}

const hasWaylandType = ({ XDG_SESSION_TYPE: type = '' }: NodeJS.ProcessEnv) => type.startsWith('wayland');

/**
 * The variables that a Wayland session lacks for Chromium to recognise it: Chromium opens the portal only if both are set (WebRTC,
 * `DesktopCapturer::IsRunningUnderWayland`). A compositor that is started on a console sets only `WAYLAND_DISPLAY`, and the console's login
 * has set `XDG_SESSION_TYPE` to `tty`. Without `WAYLAND_DISPLAY`, by which the service recognises Wayland, too (`findX11Display`), the
 * socket is `wayland-0` (libwayland, `wl_display_connect`).
 */
export function completeWaylandSession(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): { XDG_SESSION_TYPE?: string; WAYLAND_DISPLAY?: string } {
  if (platform !== 'linux' || !isWayland(env)) return {};
  return {
    ...(!hasWaylandType(env) && { XDG_SESSION_TYPE: 'wayland' }),
    ...(env.WAYLAND_DISPLAY === undefined && { WAYLAND_DISPLAY: 'wayland-0' }),
  };
}
