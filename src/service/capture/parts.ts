import type { CaptureFault } from '../../shared/model/capture.ts';
import type { PictureSource, SoundSource } from '../../shared/model/source.ts';
import type { PageMedia } from '../page-capture/page-media.ts';
import { stillArgs } from './capture-run.ts';
import type { DeviceCaptures } from './device-captures.ts';
import type { FeedFormat } from './feed-format.ts';
import { FilePlayer } from './file-player.ts';
import { lastingFrame } from './frame-pool.ts';
import type { Devices } from './keep-capturing.ts';
import { keepPlayingPicture } from './keep-playing-picture.ts';
import { LivePicture } from './live-picture.ts';
import { LiveSound } from './live-sound.ts';
import type { SoundTap } from './mixer.ts';
import { PacedPictures } from './paced-run.ts';
import type { PictureTap } from './picture-tap.ts';
import {
  type DeviceFfmpegs,
  type DevicePicture,
  type DeviceSound,
  type DeviceToOpen,
  ffmpegFor,
  systemInputs,
} from './system-inputs.ts';
import { testPictureArgs } from './test-picture.ts';
import { TestTone } from './test-tone.ts';

/** The captures of devices and of pages. */
export interface CaptureSources {
  devices: Devices;
  shared: Pick<DeviceCaptures, 'watchPictures' | 'watchSound'>;
  pages: Pick<PageMedia, 'watchPictures' | 'watchSound'>;
}

/** The parts of the service that captures need. */
export interface CaptureTools extends CaptureSources {
  ffmpegPath: string;
  deviceFfmpegs: DeviceFfmpegs;
  /** A font for the test picture's wall clock; only where this ffmpeg can draw text. */
  clockFontPath: string | undefined;
  /** A preview doesn't change the format of a device that is on air. */
  isPreview?: boolean;
}

/** A picture of a source that is being captured. */
export interface PicturePart extends PictureTap {
  /** Its own sound: only files have one. */
  readonly sound?: SoundTap & { readonly fault: CaptureFault | undefined };
  /** The file that its fault is about, if it has several. */
  readonly faultyPath?: string;
  /** ffmpeg's last lines, oldest first. */
  readonly log?: readonly string[];
}

/** A sound of a source that is being captured. */
export interface SoundPart extends SoundTap {
  readonly fault: CaptureFault | undefined;
  /** The file that its fault is about, if it has several. */
  readonly faultyPath?: string;
  readonly settled: Promise<void>;
  close(): Promise<void>;
}

/** Test pictures that wait: few, since each shows when it was made. */
const maxTestPictures = 2;

/** Begins to capture a picture. */
export function openPicture(source: PictureSource, format: FeedFormat, tools: CaptureTools): PicturePart {
  const { ffmpegPath } = tools;
  switch (source.kind) {
    case 'files': {
      const player = new FilePlayer({ ...source, ffmpegPath, format });
      return {
        take: () => player.takePicture(),
        get fault() {
          return player.fault;
        },
        get faultyPath() {
          return player.faultyPath;
        },
        get log() {
          return player.log;
        },
        settled: player.settled,
        close: () => player.close(),
        sound: {
          take: (target) => player.takeSound(target),
          get fault() {
            return player.soundFault;
          },
        },
      };
    }
    case 'test-picture':
      return keepPlayingPicture(
        () => new PacedPictures(ffmpegPath, testPictureArgs(format, tools.clockFontPath), format, maxTestPictures),
        // Replace an ffmpeg that crashed or froze.
        (pictures) => pictures.isOver || pictures.isStuck,
      );
    case 'still':
      return keepPlayingPicture(
        () => new PacedPictures(ffmpegPath, stillArgs(source.path, format), format),
        // The file may be there or readable by then.
        (pictures) => pictures.isOver && !pictures.hadMedia,
      );
    case 'screen':
    case 'window':
    case 'camera':
      return captureDevice(source, format, tools);
    case 'page':
      return watchPage(source.captureId, format, tools);
  }
}

/** Begins to capture a sound. `ofPicture` is the sound of the picture's files. */
export function openSound(source: SoundSource, ofPicture: PicturePart['sound'], tools: CaptureTools): SoundPart {
  switch (source.kind) {
    case 'test-tone':
      return lasting(new TestTone());
    case 'of-picture':
      return ofPicture === undefined
        ? lasting({ take: () => 0 })
        : {
            ...lasting(ofPicture),
            get fault() {
              return ofPicture.fault;
            },
          };
    case 'files': {
      const player = new FilePlayer({ ...source, ffmpegPath: tools.ffmpegPath, format: undefined });
      return {
        take: (target) => player.takeSound(target),
        get fault() {
          return player.fault;
        },
        get faultyPath() {
          return player.faultyPath;
        },
        settled: player.settled,
        close: () => player.close(),
      };
    }
    case 'microphone':
    case 'system':
      return listenToDevice(source, tools);
    case 'page':
      return listenToPage(source.captureId, tools);
  }
}

function awayPicture(fault: CaptureFault): PicturePart {
  return { take: () => undefined, fault, settled: Promise.resolve(), close: async () => {} };
}

function awaySound(fault: CaptureFault): SoundPart {
  return { ...lasting({ take: () => 0 }), fault };
}

function explainLack({ installCommand }: DeviceFfmpegs): CaptureFault {
  return { code: 'ffmpeg-lacks', ...(installCommand !== undefined && { installCommand }) };
}

/** A sound that is never away. */
function lasting(tap: SoundTap): SoundPart {
  return { take: (target) => tap.take(target), fault: undefined, settled: Promise.resolve(), close: async () => {} };
}

function captureDevice(source: DevicePicture, format: FeedFormat, tools: CaptureTools): PicturePart {
  const inputs = systemInputs();
  const input = inputs.picture(source, format);
  if (input === undefined) return awayPicture({ code: 'unsupported' });
  const ffmpegPath = ffmpegFor(source.kind, tools.deviceFfmpegs);
  if (ffmpegPath === undefined) return awayPicture(explainLack(tools.deviceFfmpegs));
  const picture = new LivePicture(format, () => leave());
  const wish = {
    format,
    input: (device: DeviceToOpen, opened: FeedFormat, isFallback: boolean) =>
      inputs.picture({ ...source, device }, opened, isFallback) ?? input,
  };
  const leave = tools.shared.watchPictures(source, wish, ffmpegPath, {
    isPreview: tools.isPreview === true,
    onPicture: (frame, size) => picture.offer(frame, size),
    onLost: (fault) => picture.lose(fault),
  });
  return picture;
}

function watchPage(captureId: string, format: FeedFormat, { pages }: CaptureTools): PicturePart {
  const picture = new LivePicture(format, async () => leave());
  const leave = pages.watchPictures(captureId, format, {
    onPicture: (bytes, size) => picture.offer(lastingFrame(bytes), size),
    onLost: (fault) => picture.lose(fault),
  });
  return picture;
}

function listenToPage(captureId: string, { pages }: CaptureTools): SoundPart {
  const sound = new LiveSound(async () => leave());
  const leave = pages.watchSound(captureId, {
    onSound: (pcm) => sound.push(pcm),
    onLost: (fault) => sound.lose(fault),
    onBack: () => sound.regain(),
  });
  return sound;
}

function listenToDevice(source: DeviceSound, tools: CaptureTools): SoundPart {
  const inputs = systemInputs();
  const input = inputs.sound(source);
  if (input === undefined) return awaySound({ code: 'unsupported' });
  const ffmpegPath = ffmpegFor(source.kind, tools.deviceFfmpegs);
  if (ffmpegPath === undefined) return awaySound(explainLack(tools.deviceFfmpegs));
  const sound = new LiveSound(() => leave());
  const inputNow = (device: DeviceToOpen) => inputs.sound({ ...source, device }) ?? input;
  const leave = tools.shared.watchSound(source, inputNow, ffmpegPath, {
    onSound: (pcm) => sound.push(pcm),
    onLost: (fault) => sound.lose(fault),
  });
  // A device that is muted gives silence, and no error.
  const isMuted = () => {
    const listed = tools.devices.find(source);
    return listed !== 'missing' && listed?.isMuted === true;
  };
  return {
    take: (target) => sound.take(target),
    get fault() {
      return sound.fault ?? (isMuted() ? { code: 'muted' } : undefined);
    },
    settled: sound.settled,
    close: () => sound.close(),
  };
}
