import { z } from 'zod';

/** Why the store can't be used. It never says where the store is, so strangers may read it. */
export const StoreFault = z.discriminatedUnion('code', [
  /** Another program holds its lock. */
  z.object({ code: z.literal('locked') }),
  /** Tallylight may not write it. */
  z.object({ code: z.literal('read-only') }),
  /** Its disk failed to read or write. */
  z.object({ code: z.literal('disk-failed') }),
  /** SQLite can't open its file. */
  z.object({ code: z.literal('cannot-open') }),
  z.object({ code: z.literal('damaged') }),
  /** This computer is out of memory. */
  z.object({ code: z.literal('no-memory') }),
  z.object({ code: z.literal('disk-full') }),
  /** A checkpoint takes so long that writes wait for it. */
  z.object({ code: z.literal('disk-slow') }),
  /** Its disk hasn't answered for over a second. */
  z.object({ code: z.literal('disk-silent') }),
  /** The change was made, but the disk hasn't confirmed it. */
  z.object({ code: z.literal('unconfirmed') }),
  /** Its file was deleted, moved or replaced. */
  z.object({ code: z.literal('missing') }),
  /** Its folder or disk can't be accessed; `reason` is the system's code, like `EACCES`, if it has one. */
  z.object({ code: z.literal('out-of-reach'), reason: z.string().optional() }),
  /** Tallylight is closing. */
  z.object({ code: z.literal('closing') }),
]);
export type StoreFault = z.infer<typeof StoreFault>;

/** A fault of the store with what its owner wants to know. */
export const StoreProblem = z.object({
  fault: StoreFault,
  /** The store's file, if the fault concerns where it is. It may name the user. */
  path: z.string().optional(),
  /** How many changes wait in memory to be written; absent if none does. */
  waiting: z.int().positive().optional(),
});
export type StoreProblem = z.infer<typeof StoreProblem>;

/** A problem as anybody may know it. */
export type UnlocatedProblem = Omit<StoreProblem, 'path'>;

/** Why the store in the file `path` can't be opened. */
export const UnopenedStore = z.object({
  path: z.string(),
  fault: z.discriminatedUnion('code', [
    ...StoreFault.options,
    /** A newer Tallylight has written it: with the schema `version`, and this one knows those up to `known`. */
    z.object({ code: z.literal('newer'), version: z.int(), known: z.int() }),
    /** An older Tallylight is running on it, which needs the schema `version`; this one needs `needed`. */
    z.object({ code: z.literal('older'), version: z.int(), needed: z.int() }),
    /** The system's own words, without a full stop. */
    z.object({ code: z.literal('system'), text: z.string() }),
  ]),
});
export type UnopenedStore = z.infer<typeof UnopenedStore>;
