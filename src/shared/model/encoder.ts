import { z } from 'zod';

/** ffmpeg's H.264 encoders that a ladder can use: x264, and the hardware ones. */
export const EncoderName = z.enum(['libx264', 'h264_nvenc', 'h264_qsv', 'h264_vaapi', 'h264_amf', 'h264_videotoolbox']);
export type EncoderName = z.infer<typeof EncoderName>;

/** The user's choice in Settings: one encoder, or the first that works on this computer. */
export const EncoderChoice = z.enum(['automatic', ...EncoderName.options]);
export type EncoderChoice = z.infer<typeof EncoderChoice>;

/** Why an encoder doesn't work on this computer. */
export const EncoderFault = z.discriminatedUnion('code', [
  z.strictObject({ code: z.literal('too-few-pictures'), made: z.int(), asked: z.int() }),
  /** It ignores requests for keyframes. */
  z.strictObject({ code: z.literal('no-forced-keyframes') }),
  z.strictObject({ code: z.literal('too-late'), withinMs: z.number() }),
  z.strictObject({ code: z.literal('not-built-in') }),
  z.strictObject({ code: z.literal('unusable') }),
]);
export type EncoderFault = z.infer<typeof EncoderFault>;

/** Whether an encoder made a few frames on this computer. If not, `stderr` has ffmpeg's last lines, oldest first. */
export const EncoderTrial = z.discriminatedUnion('works', [
  z.strictObject({ encoder: EncoderName, works: z.literal(true) }),
  z.strictObject({ encoder: EncoderName, works: z.literal(false), fault: EncoderFault, stderr: z.array(z.string()) }),
]);
export type EncoderTrial = z.infer<typeof EncoderTrial>;
