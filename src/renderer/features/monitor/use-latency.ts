import { useCallback, useRef, useState } from 'react';
import { useLatest } from '../../hooks/use-latest.ts';
import { useStore } from '../../store/store-context.tsx';
import { LatencyWindow, type MeasuredLatency } from './latency-window.ts';
import type { PlayerView } from './player-view.ts';

interface LatencyHook {
  measured: MeasuredLatency | undefined;
  /** Call with every view of the player. */
  onView: (view: PlayerView, isNews: boolean) => void;
}

/**
 * How far the current frame is behind its capture or arrival, by the wall clock. `clockAheadMs`: how far the clock that dates the frames
 * is ahead of our service's.
 *
 * Every view of the player counts, also while the picture waits for media, since it falls further behind. Only news is shown.
 */
export function useLatency(clockAheadMs: number): LatencyHook {
  const { clock } = useStore().connection;
  const window = useRef(new LatencyWindow());
  const ahead = useLatest(clockAheadMs);
  const [measured, setMeasured] = useState<MeasuredLatency>();
  const onView = useCallback(
    ({ shown, bufferMs }: PlayerView, isNews: boolean) => {
      const clockOffsetMs = clock.newestOffsetMs() + ahead.current;
      const latency = shown === undefined ? undefined : window.current.add({ ...shown, bufferMs, clockOffsetMs });
      if (isNews) setMeasured(latency);
    },
    [clock, ahead],
  );
  return { measured, onView };
}
