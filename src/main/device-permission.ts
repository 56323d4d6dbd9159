import { systemPreferences } from 'electron';
import type { DeviceRefusal } from '../service/ports.ts';
import type { DeviceKind } from '../shared/model/capture.ts';
import { listScreens } from './screen-picker.ts';

/** What macOS calls the permission for each kind of device; what the computer plays is captured by a page. */
const mediaTypes = {
  screen: 'screen',
  window: 'screen',
  camera: 'camera',
  microphone: 'microphone',
} as const satisfies Partial<Record<DeviceKind, string>>;

/**
 * Tells which kinds of devices macOS refuses to us, and so to the ffmpegs that we start; undefined on other systems. Since macOS 10.15 a
 * screen can be captured without permission, but shows only the wallpaper, and ffmpeg doesn't notice.
 *
 * A permission that nobody was asked for is a refusal only of a screen. A camera or a microphone is opened, and macOS asks.
 */
export function createDeviceRefusal(platform: NodeJS.Platform): DeviceRefusal | undefined {
  if (platform !== 'darwin') return undefined;
  let hasAsked = false;
  return (kind) => {
    if (kind === 'system') return false;
    const type = mediaTypes[kind];
    const status = systemPreferences.getMediaAccessStatus(type);
    if (type !== 'screen') return status === 'denied' || status === 'restricted';
    if (status === 'granted' || status === 'unknown') return false;
    // Electron's list of screens makes macOS ask, and is refused until it is allowed.
    if (!hasAsked) listScreens().catch(() => {});
    hasAsked = true;
    return true;
  };
}
