import type { HandlerContext, Implementer } from './handler-context.ts';
import { watchStream } from './handler-context.ts';
import { watchAllStreams } from './watch-all-streams.ts';
import { watchAudio } from './watch-audio.ts';

/** The calls on streams and their sessions. */
export function streamHandlers(os: Implementer, context: HandlerContext) {
  const { streams, views } = context;
  return {
    stream: {
      create: os.stream.create.handler(async ({ input }) => views.one((await streams.create(input)).id)),
      update: os.stream.update.handler(async ({ input: { streamId, changes } }) => {
        await streams.update(streamId, changes);
        return views.one(streamId);
      }),
      delete: os.stream.delete.handler(({ input: { streamId } }) => streams.delete(streamId)),
      watchAll: os.stream.watchAll.handler(({ signal }) => watchAllStreams(context, signal)),
      watch: os.stream.watch.handler(({ input: { streamId, pageId }, signal }) =>
        watchStream(context, () => views.live(streamId, pageId), { streamId, signal }),
      ),
      watchAudio: os.stream.watchAudio.handler(({ input: { streamId }, signal }) => watchAudio(context, streamId, signal)),
      renewKey: os.stream.renewKey.handler(({ input: { streamId } }) => streams.renewKey(streamId)),
      revealKey: os.stream.revealKey.handler(({ input: { streamId } }) => ({ streamKey: streams.revealKey(streamId) })),
    },
    session: {
      list: os.session.list.handler(({ input: { streamId, limit } }) => views.sessions(streamId, limit)),
    },
  };
}
