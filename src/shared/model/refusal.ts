import { z } from 'zod';
import { EndReason } from './live.ts';
import { StoreFault } from './store-fault.ts';
import { TrackKind } from './track-kind.ts';

/** The identity of a publisher: its name, if known, and its address. */
export const PublisherIdentity = z.object({ name: z.string().optional(), address: z.string() });
export type PublisherIdentity = z.infer<typeof PublisherIdentity>;

/** The features of Enhanced RTMP that an encoder may use only with an ingest that announces them; ours doesn't. */
export const enhancedFeatures = { multitrack: 'Multitrack', modEx: 'ModEx' } as const;

/** Why an encoder may not publish. The encoder gets the words of `describeLossCause` if its protocol carries any. */
export const RefusalReason = z.discriminatedUnion('code', [
  z.object({ code: z.literal('wrong-key') }),
  z.object({ code: z.literal('old-key') }),
  z.object({ code: z.literal('suspended') }),
  /** By *Stop*; it is refused until its owner allows it again. */
  z.object({ code: z.literal('stopped') }),
  /** `name` is an unsupported codec, or one of {@link enhancedFeatures}. */
  z.object({ code: z.literal('codec'), track: TrackKind, name: z.string() }),
  /** `by` is the encoder that took its place. */
  z.object({ code: z.literal('in-use'), by: PublisherIdentity }),
  /** Its address doesn't end in `/live`. */
  z.object({ code: z.literal('wrong-app') }),
  z.object({ code: z.literal('rtmps') }),
  /** It doesn't accept the TLS certificate. */
  z.object({ code: z.literal('certificate') }),
  /** Its stream has begun again too often lately: publishers, jumps of timestamps, and changes of format together. */
  z.object({ code: z.literal('restless') }),
  /** A temporary fault of ours. */
  z.object({ code: z.literal('store-unreadable'), fault: StoreFault }),
]);
export type RefusalReason = z.infer<typeof RefusalReason>;

/** Why an encoder was disconnected or lost. */
export const LossCause = z.discriminatedUnion('code', [
  ...RefusalReason.options,
  z.object({ code: z.literal('key-renewed') }),
  z.object({ code: z.literal('broadcast-ended'), reason: EndReason }),
  /** It sent more bytes for one second of media than the ingest accepts. */
  z.object({ code: z.literal('too-many-bytes'), maxBytes: z.int() }),
  /** It asked to play, which only HLS offers. */
  z.object({ code: z.literal('asked-to-play') }),
  /** It closed its connection without ending the stream. */
  z.object({ code: z.literal('closed') }),
  /** `reason` is the system's code, like `ECONNRESET`. */
  z.object({ code: z.literal('connection-broke'), reason: z.string() }),
  /** `isUnusable`: media arrived, but none of it can be played. */
  z.object({ code: z.literal('no-media'), forMs: z.number(), isUnusable: z.literal(true).optional() }),
  z.object({ code: z.literal('ingest-closing') }),
  /** It broke the protocol or a bound; `fault` says how, in English. */
  z.object({ code: z.literal('protocol'), fault: z.string() }),
  /** A bug of ours; the log has it. */
  z.object({ code: z.literal('internal') }),
]);
export type LossCause = z.infer<typeof LossCause>;

/** An encoder that was refused or disconnected. Repeated tries for the same reason are one refusal with a count. */
export const Refusal = z.object({
  id: z.int(),
  /** When it was first and last refused, epoch milliseconds. */
  at: z.number(),
  lastAt: z.number(),
  count: z.int(),
  reason: RefusalReason,
  address: z.string(),
  /** The encoder's name for people, like `OBS Studio`. */
  software: z.string().optional(),
});
export type Refusal = z.infer<typeof Refusal>;
