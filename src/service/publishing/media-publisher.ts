import type { IngestFailure } from '../../shared/model/ingest-failure.ts';
import type { MediaUnit } from '../media/media-unit.ts';
import type { StreamMetadata } from '../media/stream-metadata.ts';

/**
 * How publishing ended.
 *
 * `refused` is the ingest's decision, stated before it closed: it ended the stream and would refuse it again.
 */
export type PublicationEnd = { kind: 'closed-by-us' } | { kind: 'lost' | 'refused'; failure: IngestFailure };

/** Where to publish a stream, and as what. */
export interface Destination {
  /** Of the ingest; the stream key is not part of it. */
  url: string;
  streamKey: string;
  /** The ingest has taken this key before in the same broadcast: it may hold a lost connection of ours. */
  wasAccepted?: boolean;
  /** Aborting before the start rejects with the signal's reason; later it is the same as `close()`. */
  signal: AbortSignal;
}

/** Opens a publication; resolves when the ingest takes the stream. @throws {PublishError} */
export type OpenPublication = (destination: Destination) => Promise<MediaPublisher>;

/** How well the way to an ingest carries what is sent. */
export interface WayMeasure {
  /** How long media has been waiting at least for the last second: beyond what the way always takes, in milliseconds. */
  queueMs: number;
  /** How long what is sent now will probably wait, in milliseconds. */
  waitMs: number;
  /** What the ingest has got lately, in bit/s; undefined until enough is known. `isLimit`: more was waiting all the time. */
  carried: { bps: number; isLimit: boolean } | undefined;
}

/** How a publication that an ingest has accepted gets on, and its end. */
export interface PublisherProgress {
  /**
   * Bytes sent that the ingest had not acknowledged when it last did, more once it is overdue; undefined if it never acknowledges.
   */
  readonly inFlightBytes: number | undefined;
  /** How well the way to the ingest carries what is sent now. */
  measureWay(): WayMeasure;
  /** Video frames dropped because the network was too slow. */
  readonly droppedFrames: number;
  /** Resolves when the publication has ended, for whatever reason; never rejects. */
  readonly closed: Promise<PublicationEnd>;
  /**
   * Sends what is waiting, unless the way is blocked, says goodbye, and resolves when the connection is gone: with whether the ingest
   * heard. May be called twice.
   */
  close(): Promise<boolean>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A publication that takes units, by whichever protocol. */
export interface MediaPublisher extends PublisherProgress {
  /** Announces the stream's metadata at a decode time in milliseconds. As `send`, never throws. */
  announce(metadata: StreamMetadata, atMs: number): void;
  /** Sends or queues a unit, or drops it if too much is waiting. Never throws; does nothing after the end. */
  send(unit: MediaUnit): void;
}
