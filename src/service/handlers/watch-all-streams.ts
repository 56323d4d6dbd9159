import { parseStreamRef } from '../../shared/model/stream-ref.ts';
import type { StreamsEvent, StreamView } from '../../shared/model/views.ts';
import { watchValue } from '../lib/watch-value.ts';
import type { StreamServices } from '../services/stream-services.ts';
import type { StreamNews } from '../streams/stream-change.ts';
import type { StreamViews } from './stream-views.ts';

/**
 * Yields the streams of this computer and those of remote services that it sends to: first all, then only changed ones. However
 * many streams there are, the cost of a change depends only on the streams it touches, here and on the way to the page.
 */
export async function* watchAllStreams(
  {
    changes,
    views,
    services,
  }: {
    changes: StreamNews;
    views: StreamViews;
    services: Pick<StreamServices, 'remoteOnAir' | 'findRemoteOnAir'>;
  },
  signal: AbortSignal,
): AsyncGenerator<StreamsEvent, void> {
  /** Ordered by first change since the last event, so created streams are in order of creation. */
  const touched = new Set<string>();
  let isFirst = true;
  const read = (): StreamsEvent => {
    const ids = [...touched].reverse();
    touched.clear();
    if (isFirst) {
      isFirst = false;
      return { kind: 'all', streams: [...services.remoteOnAir(), ...views.all()] };
    }
    const streams: StreamView[] = [];
    const deleted: string[] = [];
    for (const id of ids) {
      const stream = parseStreamRef(id).serviceId === undefined ? views.find(id) : services.findRemoteOnAir(id);
      if (stream === undefined) deleted.push(id);
      else streams.push(stream);
    }
    return { kind: 'changes', streams, deleted };
  };
  yield* watchValue(read, {
    onChange: (listener) =>
      changes.on(({ streamId }) => {
        touched.add(streamId);
        listener();
      }),
    signal,
  });
}
