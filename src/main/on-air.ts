import { runHarmlessly } from '../service/lib/faults.ts';
import { keepRunning } from '../shared/keep-running.ts';
import type { StreamsEvent } from '../shared/model/views.ts';
import { followStreams } from '../shared/stream-list.ts';

/** Which streams are on air right now, according to the service. */
export interface OnAir {
  /** Names of the streams that are on air, connecting or reconnecting; undefined while the service can't tell. */
  names(): readonly string[] | undefined;
  close(): void;
}

interface WatchOptions {
  onChange: (names: readonly string[]) => void;
  /** Called with the reason when the service can't tell; not again until it could in between. */
  onFailure: (error: unknown) => void;
  /** Pause between two attempts. */
  pauseMs?: number;
}

/** Watches the service's list of streams on air, and subscribes again whenever that ends. Initially empty. */
export function watchOnAir(
  watchAll: (signal: AbortSignal) => Promise<AsyncIterable<StreamsEvent>>,
  { onChange, onFailure, pauseMs = 1_000 }: WatchOptions,
): OnAir {
  const ending = new AbortController();
  const { signal } = ending;
  let names: readonly string[] | undefined = [];

  /** Resolves with the reason why the service can't tell any more. */
  const watch = async (): Promise<unknown> => {
    try {
      for await (const streams of followStreams(await watchAll(signal))) {
        names = streams.filter(({ air }) => air.kind !== 'off-air').map(({ name }) => name);
        onChange(names);
      }
      return new Error('The service ended its list of streams.');
    } catch (error) {
      return error;
    }
  };
  const nextAfterMs = (error: unknown) => {
    if (names !== undefined) onFailure(error);
    names = undefined;
    return pauseMs;
  };
  runHarmlessly(() => keepRunning(watch, { signal, nextAfterMs }), 'watching what is on air');
  return { names: () => names, close: () => ending.abort() };
}
