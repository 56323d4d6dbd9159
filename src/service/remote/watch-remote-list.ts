import type { StreamsEvent, StreamView } from '../../shared/model/views.ts';
import { joinUndos } from '../lib/event-source.ts';
import { untilAborted } from '../lib/until-aborted.ts';
import { watchValue } from '../lib/watch-value.ts';
import type { StreamNews } from '../streams/stream-change.ts';
import { RemoteError } from './remote-error.ts';
import type { RemoteList } from './remote-list.ts';

export interface WatchRemoteListOptions {
  list: RemoteList;
  /** Changes of this computer's broadcasts to the streams, which are shown with them. */
  changes: StreamNews;
  listViews: () => StreamView[];
}

/** Yields the whole list, and again whenever it differs. @throws {RemoteError} if the first answer is a failure */
export async function* watchRemoteList(
  { list, changes, listViews }: WatchRemoteListOptions,
  signal: AbortSignal,
): AsyncGenerator<StreamsEvent, void> {
  const release = list.need();
  try {
    if (list.streams === undefined) await untilAborted(list.nextRead(), signal);
    if (list.streams === undefined) throw list.error ?? new RemoteError({ code: 'closed' });
    let last = '';
    const onChange = (listener: () => void) => joinUndos(list.onChange(listener), changes.on(listener));
    for await (const streams of watchValue(listViews, { onChange, signal })) {
      const text = JSON.stringify(streams);
      if (text === last) continue;
      last = text;
      yield { kind: 'all', streams };
    }
  } finally {
    release();
  }
}
