import { z } from 'zod';
import { PortPurpose, PortRefusal } from './service-notice.ts';

/** Why a service can't start, or a command can't use its data folder, whose absolute path is `path`. */
export const StartFault = z.discriminatedUnion('code', [
  /** It can't listen on the port. */
  z.object({ code: z.literal('port-refused'), purpose: PortPurpose, port: z.int(), reason: PortRefusal }),
  /** This computer doesn't have the address or name to listen on. */
  z.object({ code: z.literal('no-address'), address: z.string() }),
  /** `text` is the system's own words, without a full stop; here and below. */
  z.object({ code: z.literal('folder-unusable'), path: z.string(), text: z.string() }),
  z.object({ code: z.literal('folder-unwritable'), path: z.string(), text: z.string() }),
  /** `file` is the name of the lock's file in the folder. */
  z.object({ code: z.literal('folder-unlockable'), path: z.string(), file: z.string(), text: z.string() }),
  /** Another service runs on it. */
  z.object({ code: z.literal('folder-in-use'), path: z.string() }),
]);
export type StartFault = z.infer<typeof StartFault>;
