import { joinUndos } from '../lib/event-source.ts';
import { watchValue } from '../lib/watch-value.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { StreamNews } from '../streams/stream-change.ts';

/** Yields a value of one stream of this computer now and after each change. */
export function watchStream<Value>(
  { changes, registry }: { changes: StreamNews; registry: Pick<SessionRegistry, 'onUnknownKey' | 'hasPublisher'> },
  read: () => Value,
  { streamId, signal }: { streamId: string; signal: AbortSignal },
): AsyncGenerator<Value, void> {
  return watchValue(read, {
    onChange(listener) {
      return joinUndos(
        changes.on((change) => {
          if (change.streamId === streamId) listener();
        }),
        registry.onUnknownKey(() => {
          if (!registry.hasPublisher(streamId)) listener();
        }),
      );
    },
    signal,
  });
}
