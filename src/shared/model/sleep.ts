import { z } from 'zod';

/** A time in which the service did not run, epoch milliseconds. */
export const Sleep = z.object({
  /** `held`: the process may have been stopped, or the computer slept on a system whose clocks do not tell. */
  kind: z.enum(['slept', 'held']),
  from: z.number(),
  to: z.number(),
});
export type Sleep = z.infer<typeof Sleep>;
