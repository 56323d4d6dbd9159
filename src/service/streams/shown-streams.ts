import type { Stream } from '../../shared/model/stream.ts';
import { putLast } from '../../shared/put-last.ts';
import type { Clock } from '../ports.ts';
import type { SessionLedger } from './session-ledger.ts';
import type { StreamNews } from './stream-change.ts';

/** How many formatted streams to cache. */
const maxShown = 1_000;

/** Formatted streams, for programs that poll them: no other process writes streams, and every change is reported. */
export interface ShownStreams {
  /** The stream as it is now; undefined if it has to be formatted again. */
  find(streamId: string): Readonly<Stream> | undefined;
  /** Keeps it until it changes, is no longer active, or makes room. */
  keep(stream: Readonly<Stream>): void;
}

/** Creates an empty cache. */
export function createShownStreams({
  changes,
  ledger,
  clock,
}: {
  changes: Pick<StreamNews, 'on'>;
  ledger: Pick<SessionLedger, 'activeUntilMs'>;
  clock: Pick<Clock, 'monotonicMs'>;
}): ShownStreams {
  const shown = new Map<string, { stream: Readonly<Stream>; untilMs: number }>();
  changes.on(({ streamId }) => shown.delete(streamId));
  return {
    find(streamId) {
      const known = shown.get(streamId);
      return known !== undefined && clock.monotonicMs() <= known.untilMs ? known.stream : undefined;
    },
    keep(stream) {
      const untilMs = stream.isActive ? ledger.activeUntilMs(stream.id) : undefined;
      putLast(shown, stream.id, { stream, untilMs: untilMs ?? Number.POSITIVE_INFINITY }, maxShown);
    },
  };
}
