import { z } from 'zod';
import { EncodeFailure } from './encode-failure.ts';
import { IngestFailure } from './ingest-failure.ts';

/** Why a one-click broadcast ended by itself. */
export const OneClickFailure = z.discriminatedUnion('code', [...EncodeFailure.options, ...IngestFailure.options]);
export type OneClickFailure = z.infer<typeof OneClickFailure>;
