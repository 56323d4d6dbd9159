import { z } from 'zod';

/** Why what we publish does not reach an ingest, or not any more. */
export const IngestFailure = z.discriminatedUnion('code', [
  /** `reason` is the system's code, like `ECONNREFUSED`. */
  z.object({ code: z.literal('unreachable'), reason: z.string() }),
  z.object({ code: z.literal('no-answer'), afterMs: z.number() }),
  z.object({ code: z.literal('disconnected') }),
  z.object({ code: z.literal('connection-broke'), reason: z.string() }),
  z.object({ code: z.literal('takes-no-data'), forMs: z.number() }),
  /** It broke the protocol; `fault` says how, in English. */
  z.object({ code: z.literal('protocol'), fault: z.string() }),
  /** It gave no words of its own, but perhaps a code of RTMP. */
  z.object({ code: z.literal('refused'), status: z.string().optional() }),
  /** The words of another: the ingest's own, an error's, or an earlier version's. */
  z.object({ code: z.literal('said'), text: z.string() }),
  /** A fault of ours; the log has it. */
  z.object({ code: z.literal('internal') }),
]);
export type IngestFailure = z.infer<typeof IngestFailure>;
