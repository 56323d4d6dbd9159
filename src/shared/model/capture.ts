import { z } from 'zod';
import { AudioMeter } from './audio-meter.ts';
import { Shortage } from './shortage.ts';
import { Device, SoundSource } from './source.ts';

/**
 * Why a part of a source is away, so that viewers see black or hear silence in its place:
 *
 * - `gone`: the device isn't connected, or the window or screen isn't there
 * - `hidden`: the window is minimised, or partly off the screen
 * - `in-use`: another program keeps the device
 * - `withheld`: another program keeps the device, or the system doesn't allow it; the system doesn't say which
 * - `not-opened`: a page couldn't open the screen or window that was chosen, and only the user can choose it again
 * - `refused`: the system or the user doesn't allow it
 * - `muted`: it is muted at the device, or the system blocks it
 * - `share-ended`: a page has captured it, and the user or the system has ended that, or wasn't asked since the last start
 * - `asking`: the page that captures it waits for the user's choice or permission
 * - `page-closed`: the browser page that captures it is closed
 * - `reopening`: the page that captures it is opening it again
 * - `crashing`: the app's window that captures it keeps crashing; it is opened again after a minute
 * - `not-loaded`: the app's window that captures it couldn't load; it is opened again after a minute
 * - `file-…`: the file can't be read; `no-video`, `no-sound`: it has no such track
 * - `starts-late`: the file ends before its start time
 * - `track-ended`: the file's picture, or its sound, is shorter than the other
 * - `cut-short`: the previous file could be read only in part, so the next one, or the same one again, plays instead
 * - `too-slow`: the file can't be read or decoded in real time
 * - `ended`: the files have ended, and don't loop; `ended-early`: the same, and the last one could be read only in part
 * - `unsupported`: this ffmpeg, or this system, can't capture it
 * - `ffmpeg-lacks`: no ffmpeg that was found is built for it; `installCommand` installs one, if the system is known
 * - `stuck`: the device or the file sends nothing any more
 * - `off-clock`: its clock is so far off that only gaps or jumps keep its sound with the picture
 * - `not-started`: its ffmpeg can't be started, because the system has too little of something
 * - `failed`: anything else; `detail` is ffmpeg's last line
 */
export const CaptureFault = z.discriminatedUnion('code', [
  z.object({
    code: z.enum([
      'gone',
      'hidden',
      'in-use',
      'withheld',
      'not-opened',
      'refused',
      'muted',
      'share-ended',
      'asking',
      'page-closed',
      'reopening',
      'crashing',
      'not-loaded',
      'file-gone',
      'file-forbidden',
      'file-is-folder',
      'file-unreadable',
      'no-video',
      'no-sound',
      'starts-late',
      'track-ended',
      'cut-short',
      'too-slow',
      'ended',
      'ended-early',
      'unsupported',
      'stuck',
      'off-clock',
    ]),
  }),
  z.object({ code: z.literal('ffmpeg-lacks'), installCommand: z.string().optional() }),
  z.object({ code: z.literal('not-started'), shortage: Shortage }),
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

/** The level of one channel, in dBFS over 0.1 s; −100 is silence. */
export const ChannelLevel = z.object({ peakDb: z.number(), rmsDb: z.number() });
export type ChannelLevel = z.infer<typeof ChannelLevel>;

/** A sound of a mix, and the levels of its channels as heard in the mix. */
export const SoundLevels = z.object({ of: SoundSource, levels: z.array(ChannelLevel) });
export type SoundLevels = z.infer<typeof SoundLevels>;

/** What a source looks and sounds like, before it goes live. */
export const SourcePreview = z.object({
  /** A JPEG in base64. */
  jpeg: z.string().optional(),
  /** How loud the whole mix is; absent before anything is measured. */
  meter: AudioMeter.optional(),
  /** The levels of each sound in the mix: left and right. */
  inputs: z.array(SoundLevels),
  away: z.array(AwayPart),
});
export type SourcePreview = z.infer<typeof SourcePreview>;

/**
 * A device as the system lists it. `width` and `height`, in pixels, are those of its picture, where the system tells. `isHidden`: a window
 * without a picture, such as a minimized one. `index`: its number in ffmpeg's list, if ffmpeg would take its name for another device's.
 * `path`: what opens it, if its id may open another device.
 */
export const ListedDevice = Device.extend({
  isDefault: z.boolean().optional(),
  isMuted: z.boolean().optional(),
  isHidden: z.boolean().optional(),
  width: z.int().optional(),
  height: z.int().optional(),
  index: z.int().optional(),
  path: z.string().optional(),
});
export type ListedDevice = z.infer<typeof ListedDevice>;

/** A kind of device, as sources name it. */
export const DeviceKind = z.enum(['screen', 'window', 'camera', 'microphone', 'system']);
export type DeviceKind = z.infer<typeof DeviceKind>;

/** Who captures: the service with ffmpeg's devices, or a page with the browser's. */
const CapturedBy = z.enum(['service', 'page']);

/** The devices of the service's computer that the service captures itself, and which kinds a page has to capture. */
export const DeviceList = z.object({
  screens: z.array(ListedDevice),
  windows: z.array(ListedDevice),
  cameras: z.array(ListedDevice),
  microphones: z.array(ListedDevice),
  systemSounds: z.array(ListedDevice),
  by: z.object({ screen: CapturedBy, window: CapturedBy, camera: CapturedBy, microphone: CapturedBy, system: CapturedBy }),
  /** What the service could capture with another ffmpeg, and the command that installs one, if the system is known. */
  lacking: z.object({ kinds: z.array(DeviceKind).min(1), installCommand: z.string().optional() }).optional(),
});
export type DeviceList = z.infer<typeof DeviceList>;

/** The list that contains this kind of device. */
export const deviceListOf = {
  screen: 'screens',
  window: 'windows',
  camera: 'cameras',
  microphone: 'microphones',
  system: 'systemSounds',
} as const satisfies Record<DeviceKind, keyof DeviceList>;
