import { z } from 'zod';
import { AudioMeter } from './audio-meter.ts';
import { Device } from './source.ts';

/**
 * Why a part of a source is away, so that viewers see black or hear silence in its place:
 *
 * - `gone`: the device isn't connected, or the window or screen isn't there
 * - `in-use`: another program keeps the device
 * - `refused`: the system or the user doesn't allow it
 * - `muted`: it is muted at the device, or the system blocks it
 * - `page-closed`: the page that captures it is gone, or has ended it
 * - `file-…`: the file can't be read; `no-video`, `no-sound`: it has no such track
 * - `track-ended`: the file's picture, or its sound, is shorter than the other
 * - `ended`: the files have ended, and don't loop
 * - `unsupported`: this ffmpeg, or this system, can't capture it
 * - `stuck`: the device or the file sends nothing any more
 * - `off-clock`: it is there, but its clock is so far off that its sound stays with the picture only by gaps or jumps
 * - `failed`: anything else; `detail` is ffmpeg's last line
 */
export const CaptureFault = z.discriminatedUnion('code', [
  z.object({
    code: z.enum([
      'gone',
      'in-use',
      'refused',
      'muted',
      'page-closed',
      'file-gone',
      'file-forbidden',
      'file-is-folder',
      'file-unreadable',
      'no-video',
      'no-sound',
      'track-ended',
      'ended',
      'unsupported',
      'stuck',
      'off-clock',
    ]),
  }),
  z.object({ code: z.literal('failed'), detail: z.string() }),
]);
export type CaptureFault = z.infer<typeof CaptureFault>;

/** A part of a source that is away. `input`: which input of the mix, from 0. `name` is the device's or the file's. */
export const AwayPart = z.object({
  part: z.enum(['picture', 'inset', 'sound']),
  input: z.int().optional(),
  kind: z.enum(['test-picture', 'files', 'still', 'screen', 'window', 'camera', 'page', 'microphone', 'system']),
  name: z.string(),
  fault: CaptureFault,
});
export type AwayPart = z.infer<typeof AwayPart>;

/** Of one channel, in dBFS over 0.1 s; −100 is silence. */
export const ChannelLevel = z.object({ peakDb: z.number(), rmsDb: z.number() });
export type ChannelLevel = z.infer<typeof ChannelLevel>;

/** What a source looks and sounds like, before it goes live. */
export const SourcePreview = z.object({
  /** A JPEG in base64. */
  jpeg: z.string().optional(),
  /** How loud the whole mix is; absent before anything is measured. */
  meter: AudioMeter.optional(),
  /** The levels of each input, in the order of the mix: left and right. */
  inputs: z.array(z.array(ChannelLevel)),
  away: z.array(AwayPart),
});
export type SourcePreview = z.infer<typeof SourcePreview>;

/** A device as the system lists it. */
export const ListedDevice = Device.extend({ isDefault: z.boolean().optional(), isMuted: z.boolean().optional() });
export type ListedDevice = z.infer<typeof ListedDevice>;

/** Who captures: the service with ffmpeg's own devices, or a page with the browser's. */
export const CapturedBy = z.enum(['service', 'page']);
export type CapturedBy = z.infer<typeof CapturedBy>;

/** The devices of the service's computer that the service captures itself, and which kinds a page has to capture. */
export const DeviceList = z.object({
  screens: z.array(ListedDevice),
  windows: z.array(ListedDevice),
  cameras: z.array(ListedDevice),
  microphones: z.array(ListedDevice),
  systemSounds: z.array(ListedDevice),
  by: z.object({ screen: CapturedBy, window: CapturedBy, camera: CapturedBy, microphone: CapturedBy, system: CapturedBy }),
});
export type DeviceList = z.infer<typeof DeviceList>;
