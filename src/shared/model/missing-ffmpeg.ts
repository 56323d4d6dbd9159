import { z } from 'zod';
import { Shortage } from './shortage.ts';

/** Why there is no ffmpeg. */
export const MissingFfmpeg = z.discriminatedUnion('code', [
  /** The search is still running. */
  z.object({ code: z.literal('searching') }),
  /** The search failed because of an internal error, which is in the log. */
  z.object({ code: z.literal('search-failed') }),
  /** `TALLYLIGHT_FFMPEG` is this path, which is not absolute or does not run. */
  z.object({ code: z.literal('unusable'), path: z.string() }),
  /** One was found that can't be started, because the system has too little of something. */
  z.object({ code: z.literal('not-started'), shortage: Shortage }),
  /** One was found that didn't print its version within `afterMs`: the computer may be too busy. */
  z.object({ code: z.literal('no-answer'), path: z.string(), afterMs: z.number() }),
  /** None was found; the command installs one, if the system is known. */
  z.object({ code: z.literal('not-found'), installCommand: z.string().optional() }),
]);
export type MissingFfmpeg = z.infer<typeof MissingFfmpeg>;
