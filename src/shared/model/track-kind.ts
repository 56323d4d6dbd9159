import { z } from 'zod';

/** Which of the two tracks something is about. */
export const TrackKind = z.enum(['video', 'audio']);
