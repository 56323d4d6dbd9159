import { useEffect, useRef, useState } from 'react';
import { useStore } from '../../store/store-context.tsx';
import { LatencyWindow, type MeasuredLatency } from './latency-window.ts';
import type { PlayerView } from './player.ts';

/**
 * How far the current frame is behind its capture or arrival, by the wall clock.
 *
 * Every look at the player counts, also while the picture waits for media, since it falls further behind.
 */
export function useLatency({ shown, bufferMs }: PlayerView): MeasuredLatency | undefined {
  const { clock } = useStore().connection;
  const window = useRef(new LatencyWindow());
  const [measured, setMeasured] = useState<MeasuredLatency>();
  const { atMs, dateMs } = shown ?? {};
  useEffect(() => {
    setMeasured(
      atMs === undefined || dateMs === undefined
        ? undefined
        : window.current.add({ atMs, dateMs, bufferMs, clockOffsetMs: clock.newestOffsetMs() }),
    );
  }, [atMs, dateMs, bufferMs, clock]);
  return measured;
}
