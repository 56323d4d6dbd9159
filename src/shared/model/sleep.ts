import { z } from 'zod';

/** A time when the service did not run, epoch milliseconds. */
export const Sleep = z.object({
  /** `held`: the process was stopped, or the computer slept on a system whose clocks don't show it. */
  kind: z.enum(['slept', 'held']),
  from: z.number(),
  to: z.number(),
});
export type Sleep = z.infer<typeof Sleep>;
