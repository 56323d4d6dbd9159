import { z } from 'zod';
import { Shortage } from './shortage.ts';

/** Why an encoding ffmpeg ended without being asked to. */
export const EncodeFailure = z.discriminatedUnion('code', [
  z.object({ code: z.literal('killed'), signal: z.string() }),
  /** `shortage`: why, where the system had too little of something. */
  z.object({ code: z.literal('not-started'), shortage: Shortage.optional() }),
  z.object({ code: z.literal('exited'), exitCode: z.int() }),
  /** It accepts frames and outputs none. */
  z.object({ code: z.literal('stuck') }),
  /** It output media at first, then nothing for this long. */
  z.object({ code: z.literal('frozen'), forMs: z.number() }),
  /** Its output can't be parsed; `fault` is the parser's message, in English. */
  z.object({ code: z.literal('unreadable'), fault: z.string() }),
  z.object({ code: z.literal('no-video-track') }),
  z.object({ code: z.literal('file-gone') }),
  z.object({ code: z.literal('file-forbidden') }),
  z.object({ code: z.literal('file-is-folder') }),
  z.object({ code: z.literal('file-unreadable') }),
  /** `installCommand` installs an ffmpeg that has it on this computer, if one is known. */
  z.object({ code: z.literal('no-x264'), installCommand: z.string().optional() }),
  z.object({ code: z.literal('out-of-memory') }),
]);
export type EncodeFailure = z.infer<typeof EncodeFailure>;
