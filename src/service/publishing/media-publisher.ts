import type { IngestFailure } from '../../shared/model/ingest-failure.ts';
import type { MediaUnit } from '../media/media-unit.ts';
import type { StreamMetadata } from '../media/stream-metadata.ts';

/**
 * How publishing ended.
 *
 * `refused` is the ingest's decision, stated before it closed: it ended the stream and would refuse it again.
 */
export type PublicationEnd = { kind: 'closed-by-us' } | { kind: 'lost' | 'refused'; failure: IngestFailure };

/** The ingest to publish to, and the stream key. */
export interface Destination {
  /** The URL of the ingest, without the stream key. */
  url: string;
  streamKey: string;
  /** The ingest has taken this key before in the same broadcast: it may hold a lost connection of ours. */
  wasAccepted?: boolean;
  /** Aborting before the start rejects with the signal's reason; later it is the same as `close()`. */
  signal: AbortSignal;
}

/** Opens a publication; resolves when the ingest takes the stream. @throws {PublishError} */
export type OpenPublication = (destination: Destination) => Promise<MediaPublisher>;

/** How well the way to an ingest carries our media. */
export interface WayMeasure {
  /** The shortest wait of media within the last second, in milliseconds, beyond the way's own delay. */
  queueMs: number;
  /** How long media that is sent now will probably wait, in milliseconds. */
  waitMs: number;
  /** How much the ingest has received lately, in bit/s; undefined until known. `isLimit`: more was waiting all the time. */
  carried: { bps: number; isLimit: boolean } | undefined;
}

/** The progress and the end of a publication that an ingest has accepted. */
export interface PublisherProgress {
  /**
   * Bytes sent that the last acknowledgement of the ingest left open, more once the next is overdue; undefined if it never
   * acknowledges.
   */
  readonly inFlightBytes: number | undefined;
  /** How well the way to the ingest carries our media now. */
  measureWay(): WayMeasure;
  /** Video frames dropped because the network was too slow. */
  readonly droppedFrames: number;
  /** Resolves when the publication has ended, for whatever reason; never rejects. */
  readonly closed: Promise<PublicationEnd>;
  /**
   * Sends the waiting media, unless the way is blocked, says goodbye, and resolves when the connection is gone, with whether the
   * ingest heard it. May be called twice.
   */
  close(): Promise<boolean>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A publication that takes units, by any protocol. */
export interface MediaPublisher extends PublisherProgress {
  /** Announces the stream's metadata at a decode time in milliseconds. As `send`, never throws. */
  announce(metadata: StreamMetadata, atMs: number): void;
  /** Sends or queues a unit, or drops it if too much is waiting. Never throws; does nothing after the end. */
  send(unit: MediaUnit): void;
}
