import type { StreamsEvent, StreamView } from './model/views.ts';

/** Every stream, newest first, after each event of `stream.watchAll`. Unchanged streams keep their object identity. */
export async function* followStreams(events: AsyncIterable<StreamsEvent>): AsyncGenerator<StreamView[], void> {
  let streams: StreamView[] = [];
  for await (const event of events) {
    streams = event.kind === 'all' ? event.streams : applyChanges(streams, event);
    yield streams;
  }
}

function applyChanges(
  known: readonly StreamView[],
  { streams, deleted }: Extract<StreamsEvent, { kind: 'changes' }>,
): StreamView[] {
  const changed = new Map(streams.map((stream) => [stream.id, stream]));
  const gone = new Set(deleted);
  const kept: StreamView[] = [];
  for (const stream of known) {
    if (gone.has(stream.id)) continue;
    kept.push(changed.get(stream.id) ?? stream);
    changed.delete(stream.id);
  }
  return [...changed.values(), ...kept];
}
