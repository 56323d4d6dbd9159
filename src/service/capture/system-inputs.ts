import type { DeviceKind, ListedDevice } from '../../shared/model/capture.ts';
import type { Device, PictureSource, SoundSource } from '../../shared/model/source.ts';
import type { FeedFormat, PictureSize } from './feed-format.ts';
import { linuxInputs, rawPixels } from './system/linux.ts';
import { macInputs } from './system/mac.ts';
import { windowsInputs } from './system/windows.ts';

/** A picture that ffmpeg captures from a device. */
export type DevicePicture = Extract<PictureSource, { kind: 'screen' | 'window' | 'camera' }>;
/** A sound that ffmpeg captures from a device. */
export type DeviceSound = Extract<SoundSource, { kind: 'microphone' | 'system' }>;

/** A device as it was chosen, or as it is listed now. */
export type DeviceToOpen = Device & Pick<ListedDevice, 'index' | 'path'>;

/** ffmpeg's own devices on one system: the input arguments. Undefined: this system has none for it. */
export interface SystemInputs {
  /** `isFallback`: ffmpeg failed with the first arguments. The arguments are the same if a system has no others. */
  picture: (source: DevicePicture & { device: DeviceToOpen }, format: FeedFormat, isFallback?: boolean) => string[] | undefined;
  sound: (source: DeviceSound & { device: DeviceToOpen }) => string[] | undefined;
}

/** An input device of ffmpeg that captures use, as `-f` names it. */
export type InputDevice = 'x11grab' | 'v4l2' | 'pulse' | 'avfoundation' | 'gdigrab' | 'dshow';

/** The input device for each kind of source on each system. */
const inputDevices = {
  linux: { screen: 'x11grab', window: 'x11grab', camera: 'v4l2', microphone: 'pulse', system: 'pulse' },
  darwin: { screen: 'avfoundation', camera: 'avfoundation', microphone: 'avfoundation' },
  win32: { screen: 'gdigrab', window: 'gdigrab', camera: 'dshow', microphone: 'dshow' },
} as const satisfies Record<string, Partial<Record<DeviceKind, InputDevice>>>;

/** The input device for a kind of source; undefined if the system has none. */
export function inputDeviceFor(kind: DeviceKind, platform: NodeJS.Platform = process.platform): InputDevice | undefined {
  const devices: Partial<Record<DeviceKind, InputDevice>> =
    platform === 'darwin' || platform === 'win32' ? inputDevices[platform] : inputDevices.linux;
  return devices[kind];
}

/**
 * Whether ffmpeg knows the colours of a device's pictures: those of screens and windows are RGB, and a camera on Linux names them or has
 * those that ffmpeg assumes (USB Video Class 1.5, "Color Matching Descriptor": SMPTE 170M). Other systems' devices may have any. So may
 * a camera that is asked for raw pictures in HD (`isFallback`): it is mostly a capture card or a virtual camera, with HD's colours.
 */
export function knowsColours(
  kind: DeviceKind,
  { width, height }: PictureSize,
  isFallback: boolean,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const device = inputDeviceFor(kind, platform);
  if (device === 'v4l2') return !isFallback || width * height <= rawPixels;
  return device === 'x11grab' || device === 'gdigrab';
}

/** The ffmpeg for each input device, since builds have different ones. */
export interface DeviceFfmpegs {
  paths: ReadonlyMap<InputDevice, string>;
  /** Installs an ffmpeg that has them all; undefined if the system is not known. */
  installCommand: string | undefined;
}

/** The path of the ffmpeg that captures a kind of source; undefined if none does. */
export function ffmpegFor(
  kind: DeviceKind,
  { paths }: Pick<DeviceFfmpegs, 'paths'>,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const device = inputDeviceFor(kind, platform);
  return device && paths.get(device);
}

/** The inputs of the system that this runs on. */
export function systemInputs(platform: NodeJS.Platform = process.platform): SystemInputs {
  if (platform === 'darwin') return macInputs;
  return platform === 'win32' ? windowsInputs : linuxInputs;
}
