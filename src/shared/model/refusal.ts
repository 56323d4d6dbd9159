import { z } from 'zod';
import { EndReason } from './live.ts';

/** An encoder as people tell it from others: what it is called, where that is known, and where it is. */
export const EncoderIdentity = z.object({ name: z.string().optional(), address: z.string() });
export type EncoderIdentity = z.infer<typeof EncoderIdentity>;

/** Why an encoder may not publish. It hears it over RTMP, in the words of `describeLossCause`. */
export const RefusalReason = z.discriminatedUnion('code', [
  z.object({ code: z.literal('wrong-key') }),
  z.object({ code: z.literal('old-key') }),
  z.object({ code: z.literal('suspended') }),
  /** By *Stop*: it is refused until it is let in. */
  z.object({ code: z.literal('stopped') }),
  /** `name` is of a codec, or of a feature of Enhanced RTMP, that is not carried. */
  z.object({ code: z.literal('codec'), track: z.enum(['video', 'audio']), name: z.string() }),
  /** This encoder has taken its place. */
  z.object({ code: z.literal('in-use'), by: EncoderIdentity }),
  /** Its address does not end in `/live`. */
  z.object({ code: z.literal('wrong-app') }),
  z.object({ code: z.literal('rtmps') }),
  /** A trouble of ours that passes; `fault` is the sentence of the error. */
  z.object({ code: z.literal('store-unreadable'), fault: z.string() }),
]);
export type RefusalReason = z.infer<typeof RefusalReason>;

/** Why an encoder was sent away, or was lost. */
export const LossCause = z.discriminatedUnion('code', [
  ...RefusalReason.options,
  z.object({ code: z.literal('key-renewed') }),
  z.object({ code: z.literal('broadcast-ended'), reason: EndReason }),
  /** It asked to play, which is for HLS. */
  z.object({ code: z.literal('asked-to-play') }),
  /** It closed its connection without a goodbye. */
  z.object({ code: z.literal('closed') }),
  /** `reason` is the system's code, like `ECONNRESET`. */
  z.object({ code: z.literal('connection-broke'), reason: z.string() }),
  z.object({ code: z.literal('no-media'), forMs: z.number() }),
  z.object({ code: z.literal('ingest-closing') }),
  /** It broke the protocol or a bound; `fault` says how, in English. */
  z.object({ code: z.literal('protocol'), fault: z.string() }),
  /** A fault of ours; the log has it. */
  z.object({ code: z.literal('internal') }),
]);
export type LossCause = z.infer<typeof LossCause>;

/** An encoder that was refused or sent away; one that tries again and again, for the same reason, is one refusal with a count. */
export const Refusal = z.object({
  id: z.int(),
  /** When it was first refused, and when last, epoch milliseconds. */
  at: z.number(),
  lastAt: z.number(),
  count: z.int(),
  reason: RefusalReason,
  /** Where it came from. */
  address: z.string(),
  /** The encoder's name for people, like `OBS Studio`. */
  software: z.string().optional(),
});
export type Refusal = z.infer<typeof Refusal>;
