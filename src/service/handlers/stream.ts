import type { HandlerContext, Implementer } from './handler-context.ts';
import { watchStreams } from './handler-context.ts';

/** The calls on streams and their sessions. */
export function streamHandlers(os: Implementer, context: HandlerContext) {
  const { streams, views, oneClicks } = context;
  return {
    stream: {
      create: os.stream.create.handler(({ input }) => views.one(streams.create(input).id)),
      update: os.stream.update.handler(({ input: { streamId, changes } }) => {
        streams.update(streamId, changes);
        return views.one(streamId);
      }),
      delete: os.stream.delete.handler(async ({ input: { streamId } }) => {
        streams.delete(streamId);
        await oneClicks.stop(streamId);
      }),
      watchAll: os.stream.watchAll.handler(({ signal }) =>
        watchStreams(context, () => views.all(), { concerns: () => true, signal }),
      ),
      watch: os.stream.watch.handler(({ input: { streamId }, signal }) =>
        watchStreams(context, () => views.live(streamId), { concerns: (change) => change.streamId === streamId, signal }),
      ),
      revealKey: os.stream.revealKey.handler(({ input: { streamId } }) => ({ streamKey: streams.revealKey(streamId) })),
    },
    session: {
      list: os.session.list.handler(({ input: { streamId, limit } }) => views.sessions(streamId, limit)),
    },
  };
}
