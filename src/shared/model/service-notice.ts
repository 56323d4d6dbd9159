import { z } from 'zod';
import { StoreProblem } from './store-fault.ts';
import { TlsFileFault } from './tls-file-fault.ts';

/** Why the service can't listen on a port; `rtmp-port` is only for the HTTP port. */
export const PortRefusal = z.enum(['in-use', 'rtmp-port', 'no-permission']);
export type PortRefusal = z.infer<typeof PortRefusal>;

export const PortPurpose = z.enum(['HTTP', 'RTMP']);
export type PortPurpose = z.infer<typeof PortPurpose>;

/** What the user should know about the service, as a code with its facts. */
export const ServiceNotice = z.discriminatedUnion('code', [
  /** The store cannot be written. */
  z.object({ code: z.literal('store-fault'), problem: StoreProblem }),
  /** A damaged store was moved to this path, where it still is, and replaced by a new one with what could be read of it. */
  z.object({ code: z.literal('store-replaced'), setAside: z.string() }),
  /** The master key is missing, so this many streams have new stream keys. */
  z.object({ code: z.literal('keys-replaced'), streams: z.int().positive() }),
  /** The key of one stream could not be opened, so it has a new one. */
  z.object({ code: z.literal('key-replaced'), streamName: z.string() }),
  /** The preferred port couldn't be used at the start, so the service listens on `port`. */
  z.object({
    code: z.literal('port-in-use'),
    purpose: PortPurpose,
    preferred: z.int(),
    reason: PortRefusal,
    port: z.int(),
  }),
  /** The TLS files in Settings can't be used, so there is no TLS. */
  z.object({ code: z.literal('tls-unusable'), fault: TlsFileFault }),
  /** The TLS files were renewed, but can't be used; the earlier ones are. */
  z.object({ code: z.literal('tls-not-renewed'), fault: TlsFileFault }),
  /** The TLS certificate in use has expired, at a time in milliseconds of the Unix epoch. */
  z.object({ code: z.literal('tls-expired'), path: z.string(), expiredAt: z.number() }),
]);
export type ServiceNotice = z.infer<typeof ServiceNotice>;
