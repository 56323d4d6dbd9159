import type { AudioMeter } from '../../shared/model/audio-meter.ts';
import { watchValue } from '../lib/watch-value.ts';
import type { HandlerContext } from './handler-context.ts';

/** A page that shows a meter gets a value this often at most. */
const minIntervalMs = 200;

/** Yields how loud a stream is, now and after each new measurement. A stream without a meter costs nothing. */
export async function* watchAudio(
  {
    changes,
    registry,
    streams,
  }: Pick<HandlerContext, 'changes'> & {
    registry: Pick<HandlerContext['registry'], 'findLive' | 'onHeard'>;
    streams: Pick<HandlerContext['streams'], 'getKeyless'>;
  },
  streamId: string,
  signal: AbortSignal,
): AsyncGenerator<{ meter?: AudioMeter }, void> {
  const read = () => {
    const live = registry.findLive(streamId);
    // It is deleted, or was never live.
    if (live === undefined) streams.getKeyless(streamId);
    return live?.audioMeter;
  };
  const onChange = (listener: () => void) => {
    const offs = [
      registry.onHeard((id) => {
        if (id === streamId) listener();
      }),
      // A meter that has nothing to measure any more is known by the stream's tick.
      changes.on((change) => {
        if (change.streamId === streamId) listener();
      }),
    ];
    return () => {
      for (const off of offs) off();
    };
  };
  let last: { meter: AudioMeter | undefined } | undefined;
  for await (const meter of watchValue(read, { onChange, signal, minIntervalMs })) {
    const isNews = last === undefined || meter !== undefined || last.meter !== undefined;
    last = { meter };
    if (isNews) yield meter === undefined ? {} : { meter };
  }
}
