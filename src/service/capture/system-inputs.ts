import type { PictureSource, SoundSource } from '../../shared/model/source.ts';
import type { FeedFormat } from './feed-format.ts';
import { linuxInputs } from './system/linux.ts';
import { macInputs } from './system/mac.ts';
import { windowsInputs } from './system/windows.ts';

/** A picture that ffmpeg captures from a device. */
export type DevicePicture = Extract<PictureSource, { kind: 'screen' | 'window' | 'camera' }>;
/** A sound that ffmpeg captures from a device. */
export type DeviceSound = Extract<SoundSource, { kind: 'microphone' | 'system' }>;

/** ffmpeg's own devices on one system: the input arguments. Undefined: this system has none for it. */
export interface SystemInputs {
  picture: (source: DevicePicture, format: FeedFormat) => string[] | undefined;
  sound: (source: DeviceSound) => string[] | undefined;
}

/** The inputs of the system that this runs on. */
export function systemInputs(platform: NodeJS.Platform = process.platform): SystemInputs {
  if (platform === 'darwin') return macInputs;
  return platform === 'win32' ? windowsInputs : linuxInputs;
}
