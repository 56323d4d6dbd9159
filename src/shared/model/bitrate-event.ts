import { z } from 'zod';

const good = z.literal('good');
const warn = z.literal('warn');

/** A decision about the video's bitrate, by what the way to the ingest carries; `describeBitrateEvent` puts it in words. */
export const BitrateEvent = z.discriminatedUnion('code', [
  /** `queueMs`: how much media was waiting. */
  z.object({ code: z.literal('lowered'), severity: warn, fromBps: z.number(), toBps: z.number(), queueMs: z.number() }),
  z.object({ code: z.literal('raised'), severity: good, fromBps: z.number(), toBps: z.number() }),
  /** Media is waiting, and the bitrate is as low as it gets. */
  z.object({ code: z.literal('at-floor'), severity: warn, bitrateBps: z.number(), queueMs: z.number() }),
  /** The encoder could not be given the new bitrate. */
  z.object({ code: z.literal('kept'), severity: warn, bitrateBps: z.number() }),
  /**
   * Consecutive frames that were not sent. `toKeyframe`: up to a keyframe, so viewers saw a still picture. `withDisposable`: the
   * encoder makes frames that can be dropped on their own.
   */
  z.object({
    code: z.literal('frames-dropped'),
    severity: warn,
    frames: z.int(),
    toKeyframe: z.boolean(),
    withDisposable: z.boolean(),
  }),
]);
export type BitrateEvent = z.infer<typeof BitrateEvent>;
