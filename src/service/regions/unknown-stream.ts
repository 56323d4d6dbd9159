import type { IngestFailureOf } from '../../shared/model/ingest-failure.ts';
import { PublishError } from '../publishing/publish-error.ts';

/** Whether an ingest refused the stream key. */
export function isKeyRefusal(error: unknown): error is PublishError & { failure: IngestFailureOf<'key-refused'> } {
  return error instanceof PublishError && error.failure.code === 'key-refused';
}

/**
 * Turns a region's refusal of a key that is right into `stream-unknown`: it has no such stream. Any other error stays as it is.
 */
export function explainUnknownStream(
  error: unknown,
  where: Pick<IngestFailureOf<'stream-unknown'>, 'region' | 'ofService'>,
): unknown {
  if (!isKeyRefusal(error)) return error;
  const { says } = error.failure;
  return new PublishError(error.kind, { code: 'stream-unknown', ...where, says }, { cause: error });
}
