import { z } from 'zod';
import { EncodeChoice } from './encode-settings.ts';
import { Source } from './source.ts';

/** What a stream goes live with from this computer. */
export const OneClickChoice = z.strictObject({ source: Source, encode: EncodeChoice });
export type OneClickChoice = z.infer<typeof OneClickChoice>;
