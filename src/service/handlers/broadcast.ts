import { ServiceError } from '../../shared/errors.ts';
import type { HandlerContext, Implementer } from './handler-context.ts';

/** The calls that start and stop broadcasts. */
export function broadcastHandlers(os: Implementer, { streams, registry, live, oneClicks }: HandlerContext) {
  return {
    broadcast: {
      goLive: os.broadcast.goLive.handler(async ({ input: { streamId, source, quality } }) => {
        streams.getKeyless(streamId);
        await oneClicks.goLive(streamId, source, quality);
      }),
      stop: os.broadcast.stop.handler(async ({ input: { streamId } }) => {
        streams.getKeyless(streamId);
        live.endSession(streamId, { reason: 'stopped' });
        await oneClicks.stop(streamId);
      }),
      letIn: os.broadcast.letIn.handler(({ input: { streamId } }) => {
        streams.getKeyless(streamId);
        registry.findLive(streamId)?.letIn('all');
      }),
      setRenditions: os.broadcast.setRenditions.handler(({ input: { streamId, names } }) => {
        streams.getKeyless(streamId);
        const broadcast = registry.findLive(streamId);
        if (broadcast?.sessionId === undefined)
          throw new ServiceError('OFF_AIR', 'The stream is off air, so it has no renditions.');
        broadcast.setRenditions(names);
      }),
      dismissLost: os.broadcast.dismissLost.handler(({ input: { streamId, sessionId } }) => {
        streams.getKeyless(streamId);
        streams.ends.dismissLost(streamId, sessionId);
      }),
      reconnectNow: os.broadcast.reconnectNow.handler(({ input: { streamId } }) => oneClicks.reconnectNow(streamId)),
    },
  };
}
