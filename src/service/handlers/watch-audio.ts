import type { AudioMeter } from '../../shared/model/audio-meter.ts';
import { watchMeter } from '../services/watch-meter.ts';
import type { HandlerContext } from './handler-context.ts';

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
  }: Pick<HandlerContext, 'changes'> & {
    registry: Pick<HandlerContext['registry'], 'findLive' | 'onHeard'>;
    streams: Pick<HandlerContext['streams'], 'getKeyless'>;
    oneClicks: Pick<HandlerContext['oneClicks'], 'soundMeter' | 'onHeard'>;
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
