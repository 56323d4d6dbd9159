import type { HandlerContext, Implementer } from './handler-context.ts';

/** The calls on streams and their sessions, whichever service they are on. */
export function streamHandlers(os: Implementer, { services }: HandlerContext) {
  return {
    stream: {
      create: os.stream.create.handler(({ input: { serviceId, ...stream } }) => services.get(serviceId).create(stream)),
      update: os.stream.update.handler(({ input: { streamId, changes } }) =>
        services.at(streamId, (service, id) => service.update(id, changes)),
      ),
      delete: os.stream.delete.handler(({ input: { streamId } }) => services.at(streamId, (service, id) => service.delete(id))),
      watchAll: os.stream.watchAll.handler(async function* ({ input, context }) {
        yield* services.get(input?.serviceId).watchAll(context.left);
      }),
      watch: os.stream.watch.handler(async function* ({ input: { streamId, pageId }, context }) {
        yield* services.at(streamId, (service, id) => service.watch(id, pageId, context.left));
      }),
      watchAudio: os.stream.watchAudio.handler(async function* ({ input: { streamId }, context }) {
        yield* services.at(streamId, (service, id) => service.watchAudio(id, context.left));
      }),
      renewKey: os.stream.renewKey.handler(({ input: { streamId } }) =>
        services.at(streamId, (service, id) => service.renewKey(id)),
      ),
      revealKey: os.stream.revealKey.handler(async ({ input: { streamId } }) => ({
        streamKey: await services.at(streamId, (service, id) => service.revealKey(id)),
      })),
    },
    session: {
      list: os.session.list.handler(({ input: { streamId, limit } }) =>
        services.at(streamId, (service, id) => service.sessions(id, limit)),
      ),
    },
  };
}
