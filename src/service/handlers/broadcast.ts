import { ServiceError } from '../../shared/errors.ts';
import { formatRegion } from '../../shared/words/region-name.ts';
import type { HandlerContext, Implementer } from './handler-context.ts';

/** The calls that start and stop broadcasts. One click runs here, whichever service it sends to. */
export function broadcastHandlers(os: Implementer, { services, oneClicks, choices, previews }: HandlerContext) {
  return {
    broadcast: {
      goLive: os.broadcast.goLive.handler(async ({ input: { streamId, source, encode } }) => {
        if (await oneClicks.goLive(streamId, { source, encode })) choices.save(streamId, { source, encode });
      }),
      previewEncode: os.broadcast.previewEncode.handler(({ input: { streamId, source, encode } }) => {
        services.at(streamId, (service, id) => service.check(id));
        return oneClicks.preview(streamId, { source, encode });
      }),
      changeSource: os.broadcast.changeSource.handler(async ({ input: { streamId, source }, signal }) => {
        services.at(streamId, (service, id) => service.check(id));
        await previews.close();
        const encode = await oneClicks.changeSource(streamId, source, signal);
        choices.save(streamId, { source, encode });
      }),
      stop: os.broadcast.stop.handler(({ input: { streamId } }) => services.at(streamId, (service, id) => service.stop(id))),
      letIn: os.broadcast.letIn.handler(({ input: { streamId } }) => services.at(streamId, (service, id) => service.letIn(id))),
      acceptSilence: os.broadcast.acceptSilence.handler(({ input: { streamId } }) =>
        services.at(streamId, (service, id) => service.acceptSilence(id)),
      ),
      setRenditions: os.broadcast.setRenditions.handler(({ input: { streamId, names } }) =>
        services.at(streamId, (service, id) => service.setRenditions(id, names)),
      ),
      dismissLost: os.broadcast.dismissLost.handler(({ input: { streamId, sessionId } }) =>
        services.at(streamId, (service, id) => service.dismissLost(id, sessionId)),
      ),
      changeRegion: os.broadcast.changeRegion.handler(({ input: { streamId, region } }) => {
        if (services.at(streamId, (service, id) => service.changeRegion(id, region))) return;
        throw new ServiceError('REGION_NOT_OFFERED', `${formatRegion(region)} is no longer offered, so nothing was changed.`);
      }),
      reconnectNow: os.broadcast.reconnectNow.handler(({ input: { streamId } }) => oneClicks.reconnectNow(streamId)),
    },
  };
}
