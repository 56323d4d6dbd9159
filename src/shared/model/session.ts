import { z } from 'zod';
import { commonShape, RecordFlag } from './stream.ts';

/** One broadcast on a stream: a stream object with `parentId`, and no stream key of its own. */
export const Session = z
  .object({ ...commonShape, parentId: z.string(), record: RecordFlag.optional() })
  .meta({ id: 'Session', description: 'One broadcast on a stream.' });
export type Session = z.infer<typeof Session>;
