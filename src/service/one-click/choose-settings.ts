import {
  coarseShare,
  type EncodeChoice,
  type EncodeDoubt,
  type EncodePreset,
  type EncodePreview,
  type EncodeSettings,
  encodeBounds,
  encodePresets,
  type MeasuredUpload,
  totalBitrateBps,
  usableUploadBps,
  usualBitrateBps,
} from '../../shared/model/encode-settings.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import type { EncodeCosts } from './encode-costs.ts';
import type { PictureMode } from './picture-mode.ts';

/** The facts that decide the settings. */
export interface EncodeFacts {
  encoder: EncoderName;
  /** Of the picture that is captured; undefined if unknown. */
  picture: PictureMode | undefined;
  /** Of the way to the ingest; undefined if nothing was ever sent there. */
  upload: MeasuredUpload | undefined;
  /** The current bitrate of this computer's other broadcasts on that way, in bit/s. */
  othersBps: number;
  /** How many cores this computer has. */
  cores: number;
  /** How many of them the stream's renditions are expected to use. */
  renditionCores: number;
  costs: Pick<EncodeCosts, 'estimate'>;
}

/** `automatic` takes the first of these that fits: the usual ones for live video. Larger pictures are only made on request. */
const offered: readonly EncodePreset[] = ['1080p60', '1080p30', '720p30'];
const smallest = encodePresets['720p30'];
/** The share of the cores that `automatic` uses. The rest is for the captured program and the monitor. */
const coresShare = 0.5;
/** The pixels that one core captures and composes in a second (decision 0022: 0.30 cores for 1080p at 60 frames per second). */
const capturedPixelsPerCoreSecond = 400_000_000;
/** The frame rate assumed for a picture whose rate is unknown. */
export const usualFps = 30;
/** Enlarging a picture a little loses less detail than the next smaller size. */
const mostEnlarged = 1.1;

/** The settings for a choice. */
export function chooseSettings(choice: EncodeChoice, facts: EncodeFacts): EncodeSettings {
  switch (choice.kind) {
    case 'automatic':
      return chooseAutomatically(facts);
    case 'preset':
      return encodePresets[choice.name];
    case 'by-hand':
      return choice.settings;
  }
}

/** The cost of a broadcast with this choice, and its possible problems. */
export function previewEncode(choice: EncodeChoice, facts: EncodeFacts): EncodePreview {
  const settings = chooseSettings(choice, facts);
  return {
    settings,
    cores: { ...estimateCores(settings, facts), all: facts.cores },
    uploadBps: totalBitrateBps(settings),
    ...(facts.upload && { upload: facts.upload }),
    doubts: findDoubts(settings, facts),
  };
}

/** The first preset that fits the picture, half of the cores and the upload. If none does, 720p at a bitrate that fits the upload. */
function chooseAutomatically(facts: EncodeFacts): EncodeSettings {
  const { picture, cores } = facts;
  const usableBps = findUsableBps(facts) ?? Number.POSITIVE_INFINITY;
  const fitting = offered
    .map((name) => encodePresets[name])
    .find(
      (settings) =>
        settings.fps <= Math.max(usualFps, Math.ceil(picture?.fps ?? usualFps)) &&
        !isEnlarged(picture, settings) &&
        sumCores(settings, facts) <= cores * coresShare &&
        totalBitrateBps(settings) <= usableBps,
    );
  if (fitting !== undefined) return fitting;
  const videoBitrateBps = Math.min(smallest.videoBitrateBps, Math.floor(usableBps - smallest.audioBitrateBps));
  return { ...smallest, videoBitrateBps: Math.max(encodeBounds.videoBitrateBps.min, videoBitrateBps) };
}

/** Upload left over by other broadcasts, in bit/s; undefined if the upload's limit isn't known. */
function findUsableBps({ upload, othersBps }: EncodeFacts): number | undefined {
  const togetherBps = usableUploadBps(upload);
  return togetherBps === undefined ? undefined : Math.max(togetherBps - othersBps, 0);
}

function estimateCores({ width, height, fps }: EncodeSettings, { costs, encoder, renditionCores }: EncodeFacts) {
  const { cores, isMeasured } = costs.estimate(encoder, width * height * fps);
  return {
    encode: cores,
    capture: (width * height * fps) / capturedPixelsPerCoreSecond,
    renditions: renditionCores,
    isMeasured,
  };
}

/** All cores that a broadcast uses: for capturing, encoding and its renditions. */
function sumCores(settings: EncodeSettings, facts: EncodeFacts): number {
  const { encode, capture, renditions } = estimateCores(settings, facts);
  return encode + capture + renditions;
}

function findDoubts(settings: EncodeSettings, facts: EncodeFacts): EncodeDoubt[] {
  const doubts: EncodeDoubt[] = [];
  const usableBps = findUsableBps(facts);
  if (usableBps !== undefined && totalBitrateBps(settings) > usableBps) {
    doubts.push({ code: 'upload-too-small', usableBps, ...(facts.othersBps > 0 && { isShared: true as const }) });
  }
  if (sumCores(settings, facts) > facts.cores) {
    doubts.push({ code: 'cores-too-few', ...(facts.renditionCores === 0 && { isWithoutRenditions: true as const }) });
  }
  const usualBps = usualBitrateBps(settings);
  if (settings.videoBitrateBps < usualBps * coarseShare) doubts.push({ code: 'bitrate-low', usualBps });
  const { picture } = facts;
  if (picture !== undefined && isEnlarged(picture, settings))
    doubts.push({ code: 'picture-smaller', width: picture.width, height: picture.height });
  return doubts;
}

/**
 * Whether the picture is known to be noticeably smaller than it would be encoded, and could be encoded smaller. Its aspect ratio may
 * differ, as with a window or a film.
 */
function isEnlarged(picture: PictureMode | undefined, { width, height }: EncodeSettings): boolean {
  if (picture === undefined || height <= smallest.height) return false;
  return Math.min(width / picture.width, height / picture.height) > mostEnlarged;
}
