/** Whether there is a screen that windows can be opened on. */
export function hasDesktop(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}
