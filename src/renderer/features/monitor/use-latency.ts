import { useEffect, useRef, useState } from 'react';
import { useStore } from '../../store/store-context.tsx';
import { LatencyWindow, type MeasuredLatency } from './latency-window.ts';
import type { PlayerView } from './player.ts';

/**
 * How far the picture that shows is behind its capture or arrival, by the wall clock.
 *
 * Each look at the player counts, also those at a picture that stands still for want of media: it falls behind all the while.
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
