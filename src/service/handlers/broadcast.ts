import type { HandlerContext, Implementer } from './handler-context.ts';

/** The calls that put a stream on air and take it off. */
export function broadcastHandlers(os: Implementer, { streams, registry, oneClicks }: HandlerContext) {
  return {
    broadcast: {
      goLive: os.broadcast.goLive.handler(async ({ input: { streamId, source, quality } }) => {
        streams.getKeyless(streamId);
        registry.findLive(streamId)?.liftHold();
        await oneClicks.goLive(streamId, source, quality);
      }),
      stop: os.broadcast.stop.handler(async ({ input: { streamId } }) => {
        streams.getKeyless(streamId);
        await oneClicks.stop(streamId);
        registry.endBroadcast(streamId, 'stopped');
      }),
      reconnectNow: os.broadcast.reconnectNow.handler(({ input: { streamId } }) => oneClicks.reconnectNow(streamId)),
    },
  };
}
