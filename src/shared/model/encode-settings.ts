import { z } from 'zod';

/** Bounds of what one click encodes. The shorter side counts as the picture's size, so that upright pictures have the same bounds. */
export const encodeBounds = {
  shortSide: { min: 720, max: 2160 },
  longSide: { max: 3840 },
  fps: { min: 10, max: 60 },
  /** Below the least, 720p is unrecognisable; H.264 level 5.2 allows more than the most. */
  videoBitrateBps: { min: 300_000, max: 50_000_000 },
  /** Players start at keyframes, so they start later and lag with longer intervals. */
  keyframeSeconds: { min: 1, max: 4 },
  /** AAC-LC stereo. */
  audioBitrateBps: { min: 64_000, max: 320_000 },
} as const;

const bounded = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max);

/** Encoders halve the resolution of colours. */
const Side = z.int().multipleOf(2);

/** What one click encodes: H.264 without B-frames at a constant bitrate, and AAC-LC stereo at 48 kHz. */
export const EncodeSettings = z
  .strictObject({
    width: Side,
    height: Side,
    fps: bounded(encodeBounds.fps),
    videoBitrateBps: bounded(encodeBounds.videoBitrateBps),
    keyframeSeconds: bounded(encodeBounds.keyframeSeconds),
    audioBitrateBps: bounded(encodeBounds.audioBitrateBps),
  })
  .refine(({ width, height }) => isSize(width, height), {
    path: ['height'],
    error: `the picture must be from ${encodeBounds.shortSide.min} to ${encodeBounds.shortSide.max} high, and at most ${encodeBounds.longSide.max} wide`,
  });
export type EncodeSettings = z.infer<typeof EncodeSettings>;

function isSize(width: number, height: number): boolean {
  const { shortSide, longSide } = encodeBounds;
  const shorter = Math.min(width, height);
  return shorter >= shortSide.min && shorter <= shortSide.max && Math.max(width, height) <= longSide.max;
}

/** Settings by what viewers get. */
export const EncodePreset = z.enum(['720p30', '1080p30', '1080p60', '1440p30', '1440p60', '2160p30', '2160p60']);
export type EncodePreset = z.infer<typeof EncodePreset>;

function preset(width: number, height: number, fps: number, videoBitrateBps: number): EncodeSettings {
  return { width, height, fps, videoBitrateBps, keyframeSeconds: 1, audioBitrateBps: 160_000 };
}

/** The presets, with the usual H.264 bitrates for live video of these sizes. */
export const encodePresets: Readonly<Record<EncodePreset, EncodeSettings>> = {
  '720p30': preset(1280, 720, 30, 3_000_000),
  '1080p30': preset(1920, 1080, 30, 4_500_000),
  '1080p60': preset(1920, 1080, 60, 6_000_000),
  '1440p30': preset(2560, 1440, 30, 8_000_000),
  '1440p60': preset(2560, 1440, 60, 11_000_000),
  '2160p30': preset(3840, 2160, 30, 16_000_000),
  '2160p60': preset(3840, 2160, 60, 22_000_000),
};

/** How one click encodes: as suits this computer, the picture and the upload, or as its owner chose. */
export const EncodeChoice = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('automatic') }),
  z.strictObject({ kind: z.literal('preset'), name: EncodePreset }),
  z.strictObject({ kind: z.literal('by-hand'), settings: EncodeSettings }),
]);
export type EncodeChoice = z.infer<typeof EncodeChoice>;

/** What may go wrong with settings; the screens put it in words. */
export const EncodeDoubt = z.discriminatedUnion('code', [
  /** More than `usableBps`, the usable share of the measured upload; `isShared`: less what other broadcasts send. */
  z.object({ code: z.literal('upload-too-small'), usableBps: z.number(), isShared: z.literal(true).optional() }),
  z.object({ code: z.literal('cores-too-few'), isWithoutRenditions: z.literal(true).optional() }),
  /** At `usualBps`, video of this size and rate looks good. */
  z.object({ code: z.literal('bitrate-low'), usualBps: z.number() }),
  /** The picture is smaller than the size it is encoded at. */
  z.object({ code: z.literal('picture-smaller'), width: z.int(), height: z.int() }),
]);
export type EncodeDoubt = z.infer<typeof EncodeDoubt>;

/**
 * How fast an ingest took our media. `limitBps` is about the most that the way there carries; absent until a broadcast was held back,
 * since until then only `carriedBps` is known to get through. Times are epoch milliseconds.
 */
export const MeasuredUpload = z.object({ carriedBps: z.number(), limitBps: z.number().optional(), measuredAt: z.number() });
export type MeasuredUpload = z.infer<typeof MeasuredUpload>;

/** What a broadcast with some settings will cost. */
export const EncodePreview = z.object({
  settings: EncodeSettings,
  /**
   * Cores used by the encode, by capturing and composing its pictures, and by the renditions; `all` is how many this computer has.
   * `isMeasured`: the encode's are known from earlier broadcasts on this computer.
   */
  cores: z.object({ encode: z.number(), capture: z.number(), renditions: z.number(), all: z.int(), isMeasured: z.boolean() }),
  /** Video and audio together. */
  uploadBps: z.number(),
  /** Absent until something was sent to this ingest. */
  upload: MeasuredUpload.optional(),
  doubts: z.array(EncodeDoubt),
});
export type EncodePreview = z.infer<typeof EncodePreview>;

/** The share of a measured upload that broadcasts may use: the rest is for everything else this computer sends. */
const usableShare = 0.75;

/** How much of a measured upload all ways out together may use, in bit/s; undefined while its limit isn't known. */
export function usableUploadBps(upload: MeasuredUpload | undefined): number | undefined {
  return upload?.limitBps === undefined ? undefined : upload.limitBps * usableShare;
}

/** Video and audio together, in bit/s. */
export function totalBitrateBps({ videoBitrateBps, audioBitrateBps }: EncodeSettings): number {
  return videoBitrateBps + audioBitrateBps;
}

/** With less than this share of the usual bitrate, fast scenes look blocky. */
export const coarseShare = 0.5;

/** The usual bitrate of video of this size and rate, in bit/s: that of the preset nearest in pixels per second, in proportion to them. */
export function usualBitrateBps({ width, height, fps }: EncodeSettings): number {
  const pixels = width * height * fps;
  const rateOf = (preset: EncodeSettings) => preset.width * preset.height * preset.fps;
  const nearest = Object.values(encodePresets).reduce((best, preset) =>
    Math.abs(Math.log(rateOf(preset) / pixels)) < Math.abs(Math.log(rateOf(best) / pixels)) ? preset : best,
  );
  return Math.round((nearest.videoBitrateBps * pixels) / rateOf(nearest));
}
