import { assertNever } from '../assert-never.ts';
import { formatBitrate, formatKilobits } from '../format-count.ts';
import {
  type EncodeChoice,
  type EncodeDoubt,
  type EncodePreset,
  type EncodePreview,
  type EncodeSettings,
  encodeBounds,
  totalBitrateBps,
} from '../model/encode-settings.ts';
import type { OneClickState } from '../model/live.ts';
import { withUnit } from '../with-unit.ts';

/** Presets by what viewers get. */
export const presetNames: Readonly<Record<EncodePreset, string>> = {
  '720p30': 'HD, 720p at 30 fps',
  '1080p30': 'Full HD, 1080p at 30 fps',
  '1080p60': 'Full HD, 1080p at 60 fps',
  '1440p30': 'Quad HD, 1440p at 30 fps',
  '1440p60': 'Quad HD, 1440p at 60 fps',
  '2160p30': '4K, 2160p at 30 fps',
  '2160p60': '4K, 2160p at 60 fps',
};

/** Settings in short: `1920 × 1080 at 60 fps, 6 160 kbit/s`. The bitrate is of video and audio together. */
export function describeSettings(settings: EncodeSettings): string {
  return `${describePicture(settings)}, ${describeBitrate(settings)}`;
}

function describePicture({ width, height, fps }: EncodeSettings): string {
  return `${width} × ${height} at ${withUnit(fps, 'fps')}`;
}

/** The bitrate of video and audio together. */
export function describeBitrate(settings: EncodeSettings): string {
  return formatBitrate(totalBitrateBps(settings));
}

const encodeOrigins: Readonly<Record<EncodeChoice['kind'], string | undefined>> = {
  automatic: 'automatic',
  preset: undefined,
  'by-hand': 'custom',
};

/** The encoded picture and a note with its bitrate and how both were chosen; without settings they are not decided yet. */
export function describeEncode({ settings, encode }: { settings?: EncodeSettings | undefined; encode: EncodeChoice }): {
  picture: string | undefined;
  note: string;
} {
  const parts = [settings && describeBitrate(settings), encodeOrigins[encode.kind]];
  return { picture: settings && describePicture(settings), note: parts.filter((part) => part !== undefined).join(', ') };
}

/** The lowered bitrate while the way out carries less than the settings ask for; undefined at the full bitrate. */
export function describeLowered({
  settings,
  videoBitrateBps,
}: Pick<Extract<OneClickState, { kind: 'running' }>, 'settings' | 'videoBitrateBps'>): string | undefined {
  if (videoBitrateBps === undefined) return undefined;
  return `video lowered to ${formatKilobits(videoBitrateBps)} of ${formatBitrate(settings.videoBitrateBps)}`;
}

/** What a doubt means, and what to do. */
export function describeDoubt(doubt: EncodeDoubt): string {
  switch (doubt.code) {
    case 'upload-too-small':
      return describeSmallUpload(doubt);
    case 'cores-too-few':
      return `This computer is too slow for these settings. Choose a smaller picture${
        doubt.isWithoutRenditions ? ' or fewer frames per second' : ', fewer frames per second or fewer renditions'
      }.`;
    case 'bitrate-low':
      return `Fast scenes will look blocky. For this size, ${formatBitrate(doubt.usualBps)} is usual.`;
    case 'picture-smaller':
      return `The picture is only ${doubt.width} × ${doubt.height}: encoding it larger costs more and shows no more detail.`;
    default:
      return assertNever(doubt);
  }
}

/** What it costs this computer to capture and encode, and what the renditions take: `1.2 of 8 cores, and 0.9 for renditions`. */
export function describeCores({ cores }: Pick<EncodePreview, 'cores'>): string {
  const renditions = cores.renditions > 0 ? `, and ${formatCores(cores.renditions)} for renditions` : '';
  const basis = cores.isMeasured ? 'as measured here' : 'estimated';
  return `${formatCores(cores.encode + cores.capture)} of ${cores.all} ${cores.all === 1 ? 'core' : 'cores'}${renditions} (${basis})`;
}

/** How much of the upload it takes, as far as that has been measured. */
export function describeUpload({ uploadBps, upload }: Pick<EncodePreview, 'uploadBps' | 'upload'>): string {
  const used = formatBitrate(uploadBps);
  if (upload === undefined) return `${used} (not measured yet)`;
  return upload.limitBps === undefined
    ? `${used} (${formatBitrate(upload.carriedBps)} or more measured)`
    : `${used} of about ${formatBitrate(upload.limitBps)} measured`;
}

/** Which values are valid, by field. */
export const encodeAdvice = {
  fps: `Use ${encodeBounds.fps.min} to ${encodeBounds.fps.max}.`,
  videoBitrate: `Use ${formatKilobits(encodeBounds.videoBitrateBps.min)} to ${formatKilobits(encodeBounds.videoBitrateBps.max)}.`,
  audioBitrate: `Use ${formatKilobits(encodeBounds.audioBitrateBps.min)} to ${formatKilobits(encodeBounds.audioBitrateBps.max)}.`,
} as const;

function formatCores(cores: number): string {
  return cores < 0.1 ? 'under 0.1' : cores.toFixed(1);
}

function describeSmallUpload({ usableBps, isShared }: Extract<EncodeDoubt, { code: 'upload-too-small' }>): string {
  const { videoBitrateBps, audioBitrateBps } = encodeBounds;
  if (isShared && usableBps < videoBitrateBps.min + audioBitrateBps.min) {
    return 'Your other broadcasts already use what your upload can safely carry. Stop one of them, or viewers will miss frames.';
  }
  return `${isShared ? 'With your other broadcasts running, your' : 'Your'} upload can safely carry about ${formatBitrate(usableBps)}. Lower the bitrate, or viewers will miss frames.`;
}
