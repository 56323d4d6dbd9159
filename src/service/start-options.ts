import type { FastifyInstance } from 'fastify';
import type { IngestBounds } from './config.ts';
import type { ContractRouter } from './handlers/router.ts';
import type { OpenPublication } from './publishing/media-publisher.ts';
import type { RenditionNews } from './session/rendition-news.ts';
import type { LadderBounds } from './transcode/ladder-bounds.ts';

/** A host's options for starting the service, besides the settings. */
export interface StartOptions {
  /** Adds the host's own routes before the HTTP server listens. */
  extendHttp?: (app: FastifyInstance, context: { router: ContractRouter }) => void | Promise<void>;
  /** Called when renditions are no longer made, or are made again: every event of a ladder but `started` and `overflow`. */
  onRenditionNews?: (news: RenditionNews) => void;
  /** Limits of RTMP ingest; tests pass small ones. */
  ingestBounds?: IngestBounds;
  /** Limits of the ladders; tests on busy computers pass generous ones. */
  ladderBounds?: LadderBounds;
  /** How one click connects to its ingest; tests put a bad network in between. */
  openPublication?: OpenPublication;
  /** The addresses by which this computer reaches others; tests disconnect and reconnect the network. */
  readAddresses?: () => readonly string[];
  /** How often the TLS files are checked for renewed ones; tests don't wait. */
  tlsCheckMs?: number;
  /** How long *Go live* waits for a region that was lost before it looks for another; tests don't wait. */
  regionPatienceMs?: number;
}
