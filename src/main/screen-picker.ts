import { release } from 'node:os';
import { desktopCapturer } from 'electron';
import { cutText } from '../shared/cut-text.ts';
import { maxNameLength, type PageDevice, type ScreenPicker } from '../shared/model/page-capture.ts';
import { isWayland } from './wayland-session.ts';

/** The first Darwin whose system picker Electron can use: that of macOS 15. */
const pickerSinceDarwin = 24;

/**
 * How a screen or window is picked: by the system on macOS 15 and on Wayland, where the portal asks even when screens are only listed; from
 * our own list on Windows, on older macOS, and on X11. (On X11 no page has to capture them if an ffmpeg with X11 is found.)
 */
export function findScreenPicker(
  { platform, env }: { platform: NodeJS.Platform; env: NodeJS.ProcessEnv },
  systemRelease: string = release(),
): ScreenPicker {
  if (platform === 'darwin') return Number.parseInt(systemRelease, 10) >= pickerSinceDarwin ? 'asks' : 'list';
  if (platform === 'win32') return 'list';
  return isWayland(env) ? 'asks' : 'list';
}

/** Whether a screen can be captured with system sound: Electron can on Windows and macOS. On Linux ffmpeg captures that sound. */
export function hasSystemSound(platform: NodeJS.Platform): boolean {
  return platform === 'win32' || platform === 'darwin';
}

/** Every screen and window, unless the system refuses them: then Electron's list would be an error. */
export async function listAllowedScreens(areRefused: () => boolean): Promise<PageDevice[] | 'refused'> {
  return areRefused() ? 'refused' : listScreens();
}

/** Every screen and window, by the system's names, within a list's limits: a window may have the title of any web page. */
export async function listScreens(): Promise<PageDevice[]> {
  const sources = await desktopCapturer.getSources({ types: ['screen', 'window'], thumbnailSize: { width: 0, height: 0 } });
  return sources.map(({ id, name }) => ({
    of: id.startsWith('screen:') ? 'screen' : 'window',
    id,
    name: cutText(name, maxNameLength) || id,
  }));
}
