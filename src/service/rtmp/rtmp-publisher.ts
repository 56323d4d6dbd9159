import type { IngestFailure } from '../../shared/model/ingest-failure.ts';
import type { FlvTag } from '../flv/flv-tag.ts';

/**
 * How publishing ended.
 *
 * `refused` is the ingest's own word, said before it closed: it took the stream away, and would refuse it again.
 */
export type RtmpPublisherEnd = { kind: 'closed-by-us' } | { kind: 'lost' | 'refused'; failure: IngestFailure };

/** A publication that the ingest has accepted. */
export interface RtmpPublisher {
  /** Sends a tag, or queues it, or drops it when too much waits. Never throws; after the end it does nothing. */
  send(tag: FlvTag): void;
  /** Media that waits to be sent, in milliseconds of its own time. */
  readonly queuedMs: number;
  /** Bytes that wait to be sent. */
  readonly bufferedBytes: number;
  /** Video frames dropped because the network was too slow. */
  readonly droppedFrames: number;
  /** Resolves when the publication has ended, whoever ended it; never rejects. */
  readonly closed: Promise<RtmpPublisherEnd>;
  /** Sends what waits, says goodbye, and resolves when the connection is gone. May be called twice. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Why publishing did not start. */
export class RtmpPublishError extends Error {
  override readonly name = 'RtmpPublishError';
  /**
   * `unreachable`: no connection. `refused`: the server said no. `lost`: the connection ended or broke the protocol.
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
