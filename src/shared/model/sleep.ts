import { z } from 'zod';

/** A time when the service did not run, epoch milliseconds. */
export const Sleep = z.object({
  /** `held`: the process was stopped, or the computer slept on macOS or Windows, whose clocks don't show it to the headless host. */
  kind: z.enum(['slept', 'held']),
  from: z.number(),
  to: z.number(),
});
export type Sleep = z.infer<typeof Sleep>;
