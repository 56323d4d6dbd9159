import type { IngestFailure } from '../../shared/model/ingest-failure.ts';

/** Why publishing did not start. */
export class PublishError extends Error {
  override readonly name = 'PublishError';
  /**
   * `unreachable`: no connection. `refused`: the server refused. `lost`: the connection ended or broke the protocol.
   * `timeout`: the server took too long.
   */
  readonly kind: 'unreachable' | 'refused' | 'lost' | 'timeout';

  readonly failure: IngestFailure;

  constructor(kind: PublishError['kind'], failure: IngestFailure, options?: { cause: unknown }) {
    super(`Publishing failed: ${JSON.stringify(failure)}`, options);
    this.kind = kind;
    this.failure = failure;
  }
}
