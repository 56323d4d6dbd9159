import { z } from 'zod';

/** The base URLs of one region; `base` only in the full list (Live Streaming Service Interface, "Ingest pair object"). */
export const IngestPair = z
  .object({ ingest: z.string(), playback: z.string(), base: z.string().optional() })
  .meta({ id: 'IngestPair', description: 'The ingest and playback base URLs of one region.' });
export type IngestPair = z.infer<typeof IngestPair>;

/** What a region is called: its code or, if a remote service doesn't tell, its ingest's host. */
export const RegionName = z.string();

/** Set if the region is a remote service's: which of its regions is used isn't chosen here. */
export const OfService = z.literal(true).optional();

/** A region's code: the three-letter airport code of the server's location. */
export const RegionCode = z.string().regex(/^[a-z]{3}$/, 'must be three lowercase letters, like "ber"');
