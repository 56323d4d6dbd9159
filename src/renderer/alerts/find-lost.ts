import type { StreamView } from '../../shared/model/views.ts';

/** The streams whose broadcast has been lost since `before`. Streams missing from `before` are not news. */
export function findNewlyLost(before: readonly StreamView[], now: readonly StreamView[]): StreamView[] {
  return now.filter(
    ({ id, lostSessionId }) =>
      lostSessionId !== undefined && before.some((known) => known.id === id && known.lostSessionId !== lostSessionId),
  );
}
