import { z } from 'zod';

/** Why an ffmpeg that encodes ended without being asked to. */
export const EncodeFailure = z.discriminatedUnion('code', [
  /** By a signal from outside. */
  z.object({ code: z.literal('killed'), signal: z.string() }),
  z.object({ code: z.literal('not-started') }),
  z.object({ code: z.literal('exited'), exitCode: z.int() }),
  /** It takes frames in and puts none out. */
  z.object({ code: z.literal('stuck') }),
  /** Its output is not what it should be; `fault` is what the parser says of it, in English. */
  z.object({ code: z.literal('unreadable'), fault: z.string() }),
  z.object({ code: z.literal('source-ended') }),
  z.object({ code: z.literal('no-video-track') }),
  z.object({ code: z.literal('file-gone') }),
  z.object({ code: z.literal('file-forbidden') }),
  z.object({ code: z.literal('file-is-folder') }),
  z.object({ code: z.literal('file-unreadable') }),
  z.object({ code: z.literal('no-x264') }),
  z.object({ code: z.literal('out-of-memory') }),
]);
export type EncodeFailure = z.infer<typeof EncodeFailure>;
