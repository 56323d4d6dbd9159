import { type HandlerContext, type Implementer, yieldToClient } from './handler-context.ts';

/** The calls on streams and their sessions, whichever service they are on. */
export function streamHandlers(os: Implementer, context: HandlerContext) {
  const { services } = context;
  return {
    stream: {
      create: os.stream.create.handler(({ input: { serviceId, ...stream } }) => services.get(serviceId).create(stream)),
      update: os.stream.update.handler(({ input: { streamId, changes } }) =>
        services.at(streamId, (service, id) => service.update(id, changes)),
      ),
      delete: os.stream.delete.handler(({ input: { streamId } }) => services.at(streamId, (service, id) => service.delete(id))),
      watchAll: os.stream.watchAll.handler(({ input, signal }) =>
        yieldToClient(context, signal, (left) => services.get(input?.serviceId).watchAll(left)),
      ),
      watch: os.stream.watch.handler(({ input: { streamId, pageId }, signal }) =>
        yieldToClient(context, signal, (left) => services.at(streamId, (service, id) => service.watch(id, pageId, left))),
      ),
      watchAudio: os.stream.watchAudio.handler(({ input: { streamId }, signal }) =>
        yieldToClient(context, signal, (left) => services.at(streamId, (service, id) => service.watchAudio(id, left))),
      ),
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
