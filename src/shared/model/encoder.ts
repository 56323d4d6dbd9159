import { z } from 'zod';

/** The H.264 encoders of ffmpeg that a ladder can use: x264, and those of graphics hardware. */
export const EncoderName = z.enum(['libx264', 'h264_nvenc', 'h264_qsv', 'h264_vaapi', 'h264_amf', 'h264_videotoolbox']);
export type EncoderName = z.infer<typeof EncoderName>;

/** What the user chooses in Settings: one encoder, or the first that works of those this computer may have. */
export const EncoderChoice = z.enum(['automatic', ...EncoderName.options]);
export type EncoderChoice = z.infer<typeof EncoderChoice>;

/** Why an encoder does not work on this computer. */
export const EncoderFault = z.discriminatedUnion('code', [
  z.strictObject({ code: z.literal('too-few-pictures'), made: z.int(), asked: z.int() }),
  /** It makes no keyframes where they are asked for. */
  z.strictObject({ code: z.literal('no-forced-keyframes') }),
  z.strictObject({ code: z.literal('too-late'), withinMs: z.number() }),
  /** ffmpeg was built without it. */
  z.strictObject({ code: z.literal('not-built-in') }),
  z.strictObject({ code: z.literal('unusable') }),
]);
export type EncoderFault = z.infer<typeof EncoderFault>;

/** Whether an encoder made a few frames on this computer. `stderr` is ffmpeg's last words where it did not, oldest first. */
export const EncoderTrial = z.discriminatedUnion('works', [
  z.strictObject({ encoder: EncoderName, works: z.literal(true) }),
  z.strictObject({ encoder: EncoderName, works: z.literal(false), fault: EncoderFault, stderr: z.array(z.string()) }),
]);
export type EncoderTrial = z.infer<typeof EncoderTrial>;
