import { runHarmlessly } from './lib/faults.ts';
import type { OneClicks } from './one-click/one-clicks.ts';
import type { RegionRoutes } from './regions/region-routes.ts';
import type { SessionRegistry } from './session/session-registry.ts';
import type { LiveControl } from './streams/live-control.ts';

/**
 * The one place that ends a stream's session on purpose: stopped, terminated, suspended or deleted. The stream's one-click ends with
 * it, even one that is still starting. A session that lost its publisher is not ended here: our own publisher keeps reconnecting
 * until it is stopped.
 */
export function createLiveControl({
  registry,
  oneClicks,
  routes,
}: {
  registry: Pick<SessionRegistry, 'isLive' | 'endSession' | 'sendPublisherAway'>;
  oneClicks: Pick<OneClicks, 'isSent' | 'stop' | 'forget'>;
  routes: Pick<RegionRoutes, 'end' | 'isElsewhere' | 'forgetKey'>;
}): LiveControl {
  return {
    isLive: (streamId) => registry.isLive(streamId),
    endSession(streamId, end) {
      // The log of a deleted stream is gone.
      if (end.reason !== 'deleted') runHarmlessly(() => routes.end(streamId, end), 'logging the end of a broadcast');
      // One click first, so that its goodbye is not taken for a failed encoder. The goodbye is sent after the session has ended.
      runHarmlessly(
        () => (end.reason === 'deleted' ? oneClicks.forget(streamId) : oneClicks.stop(streamId)),
        'ending a one-click broadcast',
      );
      registry.endSession(streamId, end);
    },
    sendPublisherAway(streamId, cause) {
      if (cause.code === 'key-renewed') routes.forgetKey(streamId);
      // Our own publisher knows the new key. A one-click broadcast that goes elsewhere isn't the publisher here.
      const keepsOwn = oneClicks.isSent(streamId) && !routes.isElsewhere(streamId);
      registry.sendPublisherAway(streamId, cause, { keepsOwn });
    },
  };
}
