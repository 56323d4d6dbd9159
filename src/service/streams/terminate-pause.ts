import { ServiceError } from '../../shared/errors.ts';
import type { Clock } from '../ports.ts';

const terminatePauseMs = 5_000;

/**
 * Creates the pause between two terminations of a stream; the returned function notes a termination.
 *
 * @throws {ServiceError} TOO_MANY_REQUESTS if the stream was terminated less than 5 s ago
 */
export function createTerminatePause(clock: Pick<Clock, 'monotonicMs'>): (streamId: string) => void {
  const terminatedAtMs = new Map<string, number>();
  return (streamId) => {
    const nowMs = clock.monotonicMs();
    for (const [each, atMs] of terminatedAtMs) if (nowMs >= atMs + terminatePauseMs) terminatedAtMs.delete(each);
    if (terminatedAtMs.has(streamId)) {
      throw new ServiceError(
        'TOO_MANY_REQUESTS',
        'This stream was terminated less than 5 seconds ago. Wait before terminating it again.',
      );
    }
    terminatedAtMs.set(streamId, nowMs);
  };
}
