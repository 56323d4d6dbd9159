import type { IngestFailure } from '../../shared/model/ingest-failure.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import type { WayMeasure } from './way-meter.ts';

/**
 * How publishing ended.
 *
 * `refused` is the ingest's decision, stated before it closed: it ended the stream and would refuse it again.
 */
export type RtmpPublisherEnd = { kind: 'closed-by-us' } | { kind: 'lost' | 'refused'; failure: IngestFailure };

/** How a publication that an ingest has accepted gets on, and its end. */
export interface PublisherProgress {
  /**
   * Bytes sent that the ingest had not acknowledged when it last did (RTMP 1.0 §5.4.3), more once it is overdue; undefined if it never
   * acknowledges.
   */
  readonly inFlightBytes: number | undefined;
  /** How well the way to the ingest carries what is sent now. */
  measureWay(): WayMeasure;
  /** Video frames dropped because the network was too slow. */
  readonly droppedFrames: number;
  /** Resolves when the publication has ended, for whatever reason; never rejects. */
  readonly closed: Promise<RtmpPublisherEnd>;
  /** Sends what is waiting, says goodbye, and resolves when the connection is gone. May be called twice. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A publication that takes tags. */
export interface RtmpPublisher extends PublisherProgress {
  /** Sends or queues a tag, or drops it if too much is waiting. Never throws; does nothing after the end. */
  send(tag: FlvTag): void;
  /** Media waiting to be sent, in milliseconds of media time. */
  readonly queuedMs: number;
  /** Bytes waiting to be sent. */
  readonly bufferedBytes: number;
}

/** Why publishing did not start. */
export class RtmpPublishError extends Error {
  override readonly name = 'RtmpPublishError';
  /**
   * `unreachable`: no connection. `refused`: the server refused. `lost`: the connection ended or broke the protocol.
   * `timeout`: the server took too long.
   */
  readonly kind: 'unreachable' | 'refused' | 'lost' | 'timeout';

  readonly failure: IngestFailure;

  constructor(kind: RtmpPublishError['kind'], failure: IngestFailure, options?: { cause: unknown }) {
    super(`Publishing failed: ${JSON.stringify(failure)}`, options);
    this.kind = kind;
    this.failure = failure;
  }
}
