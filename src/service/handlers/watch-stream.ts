import { joinUndos } from '../lib/event-source.ts';
import { watchValue } from '../lib/watch-value.ts';
import type { HandlerContext } from './handler-context.ts';

/** Yields a value of one stream of this computer now and after each change. */
export function watchStream<Value>(
  { changes, registry }: Pick<HandlerContext, 'changes' | 'registry'>,
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
