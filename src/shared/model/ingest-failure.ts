import { z } from 'zod';

/** Why what we publish doesn't reach an ingest, or no longer does. */
export const IngestFailure = z.discriminatedUnion('code', [
  /** `reason` is the system's code, like `ECONNREFUSED`. */
  z.object({ code: z.literal('unreachable'), reason: z.string() }),
  z.object({ code: z.literal('no-answer'), afterMs: z.number() }),
  z.object({ code: z.literal('disconnected') }),
  z.object({ code: z.literal('connection-broke'), reason: z.string() }),
  z.object({ code: z.literal('takes-no-data'), forMs: z.number() }),
  /** It broke the protocol; `fault` says how, in English. */
  z.object({ code: z.literal('protocol'), fault: z.string() }),
  /** It gave no explanation, but perhaps an RTMP status code. */
  z.object({ code: z.literal('refused'), status: z.string().optional() }),
  /** Someone else's words: the ingest's, an error's, or those of an earlier version. */
  z.object({ code: z.literal('said'), text: z.string() }),
  /** A bug of ours; the log has it. */
  z.object({ code: z.literal('internal') }),
]);
export type IngestFailure = z.infer<typeof IngestFailure>;
