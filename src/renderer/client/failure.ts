import { ORPCError } from '@orpc/client';
import { z } from 'zod';

/** What a failed call says to a person. */
export interface Failure {
  /** A code of the error table, or `UNKNOWN`. */
  code: string;
  sentence: string;
  /** One per violation of what was sent, each with its path: `profiles[0].width: must be at least 128`. */
  sentences: readonly string[];
  /** The last lines ffmpeg wrote, where it was its failure. */
  stderr: readonly string[];
}

const Details = z.object({
  sentences: z.array(z.string()).optional(),
  stderr: z.array(z.string()).optional(),
});

/** Reads what a call threw. */
export function describeFailure(error: unknown): Failure {
  if (!(error instanceof ORPCError)) {
    return {
      code: 'UNKNOWN',
      sentence: 'The service cannot be reached; try again when it is back.',
      sentences: [],
      stderr: [],
    };
  }
  const details = Details.safeParse(error.data).data;
  return {
    code: error.code,
    sentence: error.message,
    sentences: details?.sentences ?? [],
    stderr: details?.stderr ?? [],
  };
}
