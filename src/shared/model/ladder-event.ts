import { z } from 'zod';
import { EncodeFailure } from './encode-failure.ts';
import { EncoderName } from './encoder.ts';

const good = z.literal('good');
const warn = z.literal('warn');

/** The names of the profiles whose renditions it is about. */
const names = z.array(z.string());

/** Something that happened to a ladder. `describeLadderEvent` has the words. */
export const LadderEvent = z.discriminatedUnion('code', [
  z.object({ code: z.literal('started'), severity: good, names }),
  /** The computer is too slow for them; they may return. */
  z.object({ code: z.literal('shed'), severity: warn, names }),
  z.object({ code: z.literal('returned'), severity: good, names }),
  /** By their owner. */
  z.object({ code: z.literal('left-out'), severity: good, names }),
  z.object({ code: z.literal('taken-back'), severity: good, names }),
  /** ffmpeg did not take so many frames in time. */
  z.object({ code: z.literal('overflow'), severity: warn, names, frames: z.int() }),
  /** `restart`: another ffmpeg begins at the next keyframe, with another encoder where one is named. */
  z.object({
    code: z.literal('crashed'),
    severity: warn,
    names,
    failure: EncodeFailure,
    restart: z.object({ encoder: EncoderName.optional() }).optional(),
  }),
  /** They are not made any more, or not at all. */
  z.object({
    code: z.literal('given-up'),
    severity: z.enum(['warn', 'bad']),
    names,
    why: z.discriminatedUnion('kind', [
      /** So many within a minute; `last` is the newest. */
      z.object({ kind: z.literal('failures'), count: z.int(), last: EncodeFailure }),
      z.object({ kind: z.literal('no-ffmpeg') }),
      z.object({ kind: z.literal('no-encoder') }),
      /** ffmpeg cannot decode the source's video; `codec` is the name people know it by. */
      z.object({ kind: z.literal('no-decoder'), codec: z.string() }),
    ]),
  }),
]);
export type LadderEvent = z.infer<typeof LadderEvent>;
/** The events with these codes. */
export type LadderEventOf<Code extends LadderEvent['code']> = Extract<LadderEvent, { code: Code }>;
