import { z } from 'zod';

/** One of the two tracks that a broadcast may have. */
export const TrackKind = z.enum(['video', 'audio']);
export type TrackKind = z.infer<typeof TrackKind>;
