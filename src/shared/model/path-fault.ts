import { z } from 'zod';

const file = { of: z.literal('file'), path: z.string() };
const fileOrFolder = { of: z.enum(['file', 'folder']), path: z.string() };

/** Why a file or folder of this computer can't be used. */
export const PathFault = z.discriminatedUnion('code', [
  z.object({ code: z.literal('gone'), ...fileOrFolder }),
  /** Tallylight may not look there, or the drive failed. */
  z.object({ code: z.literal('unreadable'), ...fileOrFolder }),
  /** Its drive doesn't answer. */
  z.object({ code: z.literal('drive-silent'), ...fileOrFolder }),
  /** A folder or a device is in its place. */
  z.object({ code: z.literal('not-a-file'), ...file }),
]);
export type PathFault = z.infer<typeof PathFault>;
