import type { CaptureFault } from '../../shared/model/capture.ts';
import type { DeviceRefusal } from '../ports.ts';
import { capturePictureArgs, captureSoundArgs, withoutJumps } from './capture-run.ts';
import { findCommonSize } from './common-size.ts';
import { type FeedFormat, type PictureSize, pictureBytes } from './feed-format.ts';
import type { PooledFrame } from './frame-pool.ts';
import { FrameReader } from './frame-reader.ts';
import { type Devices, keepCapturing } from './keep-capturing.ts';
import { SharedCapture } from './shared-capture.ts';
import { type DevicePicture, type DeviceSound, type DeviceToOpen, knowsColours } from './system-inputs.ts';

/** Takes a device's pictures. */
export interface DevicePictureListener {
  /** A preview doesn't change the format of a device that is on air. */
  isPreview: boolean;
  /** A picture in I420, in one size for all listeners. It is released after the call. */
  onPicture(frame: PooledFrame, size: PictureSize): void;
  onLost(fault: CaptureFault): void;
}

/** Takes a device's sound. */
export interface DeviceSoundListener {
  /** s16le, 48 kHz, stereo; the bytes are never changed. */
  onSound(pcm: Buffer): void;
  onLost(fault: CaptureFault): void;
}

interface PictureWish {
  format: FeedFormat;
  /** ffmpeg's arguments for the device as currently listed, in a format; `isFallback` as in `SystemInputs.picture`. */
  input: (device: DeviceToOpen, format: FeedFormat, isFallback: boolean) => readonly string[];
}

type SharedPictures = SharedCapture<DevicePictureListener, FeedFormat>;
type SharedSound = SharedCapture<DeviceSoundListener, 'sound'>;

/**
 * The captures of this computer's devices, by ffmpeg. A camera can be opened only once, so all who want a device share one capture:
 * broadcasts, the sources they change to, and previews.
 */
export class DeviceCaptures {
  readonly #devices: Devices;
  readonly #isRefused: DeviceRefusal | undefined;
  readonly #pictures = new Map<string, SharedPictures>();
  readonly #sounds = new Map<string, SharedSound>();

  constructor(devices: Devices, isRefused?: DeviceRefusal) {
    this.#devices = devices;
    this.#isRefused = isRefused;
  }

  /**
   * Passes on a device's pictures; returns the undo, which resolves once the device is closed, if nobody else wants it. If a broadcast
   * needs them in another size than they are captured in, the device is opened again: others keep its last picture meanwhile.
   */
  watchPictures(
    source: DevicePicture,
    { format, input }: PictureWish,
    ffmpegPath: string,
    listener: DevicePictureListener,
  ): () => Promise<void> {
    const shared = findOrMake(this.#pictures, source, (onEmpty): SharedPictures => {
      const made: SharedPictures = new SharedCapture({
        open: (opened) => {
          let reader = new FrameReader(pictureBytes(opened));
          return keepCapturing({
            ffmpegPath,
            source,
            devices: this.#devices,
            isRefused: this.#isRefused,
            args: (device, isFallback) =>
              capturePictureArgs(input(device, opened, isFallback), opened, {
                filters: [withoutJumps],
                toHdColours: knowsColours(source.kind, opened, isFallback) ? 'all' : undefined,
              }),
            onStart: () => {
              reader = new FrameReader(pictureBytes(opened));
            },
            onBytes: (bytes) => {
              for (const frame of reader.push(bytes)) {
                made.tell((each) => each.onPicture(frame, opened));
                frame.release();
              }
            },
            onLost: (fault) => made.lose(fault),
          });
        },
        onEmpty,
      });
      return made;
    });
    return shared.join(listener, (present, others) => {
      if (present === undefined) return format;
      const isOnAir = others.some(({ isPreview }) => !isPreview);
      if (isOnAir && listener.isPreview) return present;
      return isOnAir || listener.isPreview ? this.#findCommon(source, present, format) : format;
    });
  }

  /** A format for both, at the higher rate. */
  #findCommon(source: DevicePicture, one: FeedFormat, other: FeedFormat): FeedFormat {
    const listed = this.#devices.find(source);
    const { width, height } = listed === 'missing' || listed === undefined ? {} : listed;
    const captured = width === undefined || height === undefined ? undefined : { width, height };
    return { ...findCommonSize(one, other, captured), fps: Math.max(one.fps, other.fps) };
  }

  /**
   * Passes on a device's sound, opened with ffmpeg's arguments as `input` gives them; returns the undo, which resolves like that of
   * pictures.
   */
  watchSound(
    source: DeviceSound,
    input: (device: DeviceToOpen) => readonly string[],
    ffmpegPath: string,
    listener: DeviceSoundListener,
  ): () => Promise<void> {
    const shared = findOrMake(this.#sounds, source, (onEmpty): SharedSound => {
      const made: SharedSound = new SharedCapture({
        open: () =>
          keepCapturing({
            ffmpegPath,
            source,
            devices: this.#devices,
            isRefused: this.#isRefused,
            // Ignore the device's timestamps, which jitter by milliseconds: following them would make the sound warble.
            args: (device) => captureSoundArgs(input(device)),
            onStart() {},
            onBytes: (bytes) => made.tell((each) => each.onSound(bytes)),
            onLost: (fault) => made.lose(fault),
          }),
        onEmpty,
      });
      return made;
    });
    return shared.join(listener, () => 'sound');
  }
}

/** The capture of a device: there is one at a time. */
function findOrMake<Shared>(
  all: Map<string, Shared>,
  { kind, device }: Pick<DevicePicture | DeviceSound, 'kind' | 'device'>,
  make: (onEmpty: () => void) => Shared,
): Shared {
  const key = JSON.stringify([kind, device.id]);
  const known = all.get(key);
  if (known !== undefined) return known;
  const made = make(() => all.delete(key));
  all.set(key, made);
  return made;
}
