import { runHarmlessly } from './lib/faults.ts';
import type { OneClicks } from './one-click/one-clicks.ts';
import type { SessionRegistry } from './session/session-registry.ts';
import type { LiveControl } from './streams/live-control.ts';

/**
 * The one place where a stream's session is ended on purpose, whoever asks for it: stopped, terminated, suspended or deleted, its
 * one-click ends with it, a start that is being prepared too. A session whose publisher was lost is none of these: our own keeps
 * trying to get back until it is stopped.
 */
export function createLiveControl({
  registry,
  oneClicks,
}: {
  registry: Pick<SessionRegistry, 'isLive' | 'endSession' | 'sendPublisherAway'>;
  oneClicks: Pick<OneClicks, 'state' | 'stop' | 'forget'>;
}): LiveControl {
  return {
    isLive: (streamId) => registry.isLive(streamId),
    endSession(streamId, end) {
      // First, so that its goodbye does not look like an encoder that has failed; it is sent after the session has ended.
      runHarmlessly(
        () => (end.reason === 'deleted' ? oneClicks.forget(streamId) : oneClicks.stop(streamId)),
        'ending a one-click broadcast',
      );
      registry.endSession(streamId, end);
    },
    sendPublisherAway(streamId, cause) {
      const { kind } = oneClicks.state(streamId);
      if (kind === 'idle' || kind === 'failed') registry.sendPublisherAway(streamId, cause);
    },
  };
}
