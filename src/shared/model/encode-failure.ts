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
]);
export type EncodeFailure = z.infer<typeof EncodeFailure>;
