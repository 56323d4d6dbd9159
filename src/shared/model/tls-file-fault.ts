import { z } from 'zod';

/** One of the two files that TLS needs. */
const TlsFile = z.enum(['certificate', 'key']);

/** Why a certificate and its key can't be used. */
export const TlsFileFault = z.discriminatedUnion('code', [
  /** Only the other file is set. */
  z.strictObject({ code: z.literal('not-set'), file: TlsFile }),
  /** `reason` is the system's code, like `ENOENT`, or `not a file`: a pipe or a device. */
  z.strictObject({ code: z.literal('unreadable'), file: TlsFile, path: z.string(), reason: z.string() }),
  z.strictObject({ code: z.literal('not-pem'), file: TlsFile, path: z.string() }),
  z.strictObject({ code: z.literal('key-encrypted'), path: z.string() }),
  /** The key belongs to another certificate. */
  z.strictObject({ code: z.literal('key-differs'), certificatePath: z.string(), keyPath: z.string() }),
  /** When the certificate expired, in epoch milliseconds. */
  z.strictObject({ code: z.literal('expired'), path: z.string(), expiredAt: z.number() }),
  /** OpenSSL refuses the certificate; `reason` is its code, like `ERR_SSL_EE_KEY_TOO_SMALL`. */
  z.strictObject({ code: z.literal('refused'), path: z.string(), reason: z.string() }),
]);
export type TlsFileFault = z.infer<typeof TlsFileFault>;
