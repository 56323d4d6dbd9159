import { z } from 'zod';

/** The H.264 encoders of ffmpeg that a ladder can use: x264, and those of graphics hardware. */
export const EncoderName = z.enum(['libx264', 'h264_nvenc', 'h264_qsv', 'h264_vaapi', 'h264_amf', 'h264_videotoolbox']);
export type EncoderName = z.infer<typeof EncoderName>;

/** What the user chooses in Settings: one encoder, or the first that works of those this computer may have. */
export const EncoderChoice = z.enum(['automatic', ...EncoderName.options]);
export type EncoderChoice = z.infer<typeof EncoderChoice>;

/** Whether an encoder made a few frames on this computer. `stderr` is ffmpeg's last words where it did not, oldest first. */
export const EncoderTrial = z.discriminatedUnion('works', [
  z.strictObject({ encoder: EncoderName, works: z.literal(true) }),
  z.strictObject({ encoder: EncoderName, works: z.literal(false), sentence: z.string(), stderr: z.array(z.string()) }),
]);
export type EncoderTrial = z.infer<typeof EncoderTrial>;
