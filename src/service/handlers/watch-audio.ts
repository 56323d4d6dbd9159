import type { AudioMeter } from '../../shared/model/audio-meter.ts';
import type { OneClicks } from '../one-click/one-clicks.ts';
import { watchMeter } from '../services/watch-meter.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { StreamNews } from '../streams/stream-change.ts';
import type { Streams } from '../streams/streams.ts';

/**
 * Yields how loud a stream of this computer is, now and after each new measurement: as its viewers get it from here, or as one click
 * sends it to another region. A stream without a meter costs nothing.
 */
export function watchAudio(
  {
    changes,
    registry,
    streams,
    oneClicks,
  }: {
    changes: StreamNews;
    registry: Pick<SessionRegistry, 'findLive' | 'onHeard'>;
    streams: Pick<Streams, 'getKeyless'>;
    oneClicks: Pick<OneClicks, 'soundMeter' | 'onHeard'>;
  },
  streamId: string,
  signal: AbortSignal,
): AsyncGenerator<{ meter?: AudioMeter }, void> {
  const read = () => {
    const sent = oneClicks.soundMeter(streamId);
    if (sent !== undefined) return sent.read();
    const live = registry.findLive(streamId);
    // The stream is deleted, which throws, or was never live.
    if (live === undefined) streams.getKeyless(streamId);
    return live?.audioMeter;
  };
  return watchMeter(read, { streamId, heard: [registry.onHeard, oneClicks.onHeard], changes, signal });
}
