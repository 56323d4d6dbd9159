import { systemPreferences } from 'electron';
import type { DeviceRefusal } from '../service/ports.ts';
import type { DeviceKind } from '../shared/model/capture.ts';
import { listScreens } from './screen-picker.ts';

/** macOS' names for the permission for each kind of device. System sound is captured by a page. */
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
 * If macOS hasn't asked the user yet, only screens count as refused. Opening a camera or a microphone makes macOS ask.
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
    // Listing screens in Electron makes macOS ask the user; until they allow it, the list is refused.
    if (!hasAsked) listScreens().catch(() => {});
    hasAsked = true;
    return true;
  };
}
