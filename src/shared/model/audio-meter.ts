import { z } from 'zod';

/** Levels are given no lower than this: silence has a level of minus infinity, which JSON can't say. */
export const lowestLevel = -120;

/**
 * How loud a live broadcast is now, as its viewers get it, or why that can't be measured.
 *
 * Loudness is in LUFS: momentary over the last 0.4 s, short-term over the last 3 s (EBU Tech 3341 §2.2), which is absent until they
 * have passed. True peaks are in dBTP (ITU-R BS.1770-4 Annex 2), one per channel (left first), the highest of the last 0.3 s.
 *
 * `no-ffmpeg`: no ffmpeg works here; `undecodable`: it can't decode this codec; `failed`: it keeps exiting, and is tried again.
 */
export const AudioMeter = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('measured'),
    momentaryLufs: z.number(),
    shortTermLufs: z.number().optional(),
    truePeaksDbtp: z.array(z.number()),
  }),
  z.object({ kind: z.literal('unmeasured'), why: z.enum(['no-ffmpeg', 'undecodable', 'failed']) }),
]);
export type AudioMeter = z.infer<typeof AudioMeter>;
