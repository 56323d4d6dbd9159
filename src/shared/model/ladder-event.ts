import { z } from 'zod';
import { EncodeFailure } from './encode-failure.ts';
import { EncoderName } from './encoder.ts';

const good = z.literal('good');
const warn = z.literal('warn');

/** The profile names of the renditions it is about. */
const names = z.array(z.string());

/** Something that happened to a ladder; `describeLadderEvent` puts it in words. */
export const LadderEvent = z.discriminatedUnion('code', [
  z.object({ code: z.literal('started'), severity: good, names }),
  /** The computer is too slow for them; they may return. */
  z.object({ code: z.literal('shed'), severity: warn, names }),
  z.object({ code: z.literal('returned'), severity: good, names }),
  /** Turned off by their owner. */
  z.object({ code: z.literal('left-out'), severity: good, names }),
  z.object({ code: z.literal('taken-back'), severity: good, names }),
  /** ffmpeg didn't accept this many frames in time. */
  z.object({ code: z.literal('overflow'), severity: warn, names, frames: z.int() }),
  /** With `restart`, another ffmpeg starts at the next keyframe, using another encoder if one is named. */
  z.object({
    code: z.literal('crashed'),
    severity: warn,
    names,
    failure: EncodeFailure,
    restart: z.object({ encoder: EncoderName.optional() }).optional(),
  }),
  /** The renditions rest for `waitMs`: ffmpeg failed `count` times within a minute, or at once after a rest; `last` is the newest failure. */
  z.object({
    code: z.literal('rested'),
    severity: z.literal('bad'),
    names,
    count: z.int(),
    last: EncodeFailure,
    waitMs: z.number(),
  }),
  /** They are no longer made, or never were. */
  z.object({
    code: z.literal('given-up'),
    severity: warn,
    names,
    why: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('no-ffmpeg') }),
      z.object({ kind: z.literal('no-encoder') }),
      /** ffmpeg can't decode the source's video; `codec` is its common name. */
      z.object({ kind: z.literal('no-decoder'), codec: z.string() }),
    ]),
  }),
]);
export type LadderEvent = z.infer<typeof LadderEvent>;
/** The events with these codes. */
export type LadderEventOf<Code extends LadderEvent['code']> = Extract<LadderEvent, { code: Code }>;
