import type { AudioMeter } from '../../shared/model/audio-meter.ts';
import { joinUndos } from '../lib/event-source.ts';
import { watchValue } from '../lib/watch-value.ts';
import type { StreamNews } from '../streams/stream-change.ts';

/** A page that shows a meter gets a value this often at most. */
const minIntervalMs = 200;

interface MeterEvents {
  streamId: string;
  /** Functions that call a listener with a stream's id after each new measurement and return the undo. */
  heard: readonly ((listener: (streamId: string) => void) => () => void)[];
  /** The stream's tick shows when a meter has nothing to measure any more. */
  changes: Pick<StreamNews, 'on'>;
  signal: AbortSignal;
}

/** Yields how loud a stream is, now and after each change. A stream that stays without a meter yields once. */
export async function* watchMeter(
  read: () => AudioMeter | undefined,
  { streamId, heard, changes, signal }: MeterEvents,
): AsyncGenerator<{ meter?: AudioMeter }, void> {
  const onChange = (listener: () => void) => {
    const listenTo = (of: string) => {
      if (of === streamId) listener();
    };
    return joinUndos(
      ...heard.map((on) => on(listenTo)),
      changes.on((change) => listenTo(change.streamId)),
    );
  };
  let last: { meter: AudioMeter | undefined } | undefined;
  for await (const meter of watchValue(read, { onChange, signal, minIntervalMs })) {
    const isNews = last === undefined || meter !== undefined || last.meter !== undefined;
    last = { meter };
    if (isNews) yield meter === undefined ? {} : { meter };
  }
}
