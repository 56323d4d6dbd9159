import { ServiceError } from '../../shared/errors.ts';
import type { RemoteFailure } from '../../shared/model/remote-failure.ts';

/** A remote service failed a request: REMOTE_FAILED, or NOT_FOUND for a stream that it doesn't have. */
export class RemoteError extends ServiceError {
  readonly failure: RemoteFailure;

  constructor(failure: RemoteFailure, options?: { cause?: unknown }) {
    super(failure.code === 'no-such-stream' ? 'NOT_FOUND' : 'REMOTE_FAILED', `A remote service failed: ${failure.code}.`, {
      details: { remoteFailure: failure },
      ...options,
    });
    this.failure = failure;
  }
}

/** The failure of a remote service, which may have been removed meanwhile; rethrows other errors, which are bugs of ours. */
export function readRemoteFailure(error: unknown): RemoteFailure {
  if (error instanceof RemoteError) return error.failure;
  if (error instanceof ServiceError && error.code === 'NOT_FOUND') return { code: 'no-such-stream' };
  throw error;
}
