import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { LatencyWindow, type MeasuredLatency } from './latency-window.ts';
import type { PlayerView } from './player.ts';

/**
 * How far the picture that shows is behind its capture or arrival, by the wall clock.
 *
 * Each look at the player counts, also those at a picture that stands still for want of media: it falls behind all the while.
 */
export function useLatency({ shown, bufferMs }: PlayerView, clockOffsetMs: number): MeasuredLatency | undefined {
  const window = useRef(new LatencyWindow());
  const [measured, setMeasured] = useState<MeasuredLatency>();
  // What the player says is true now: news of the service alone is no reason to reckon with it again later.
  const newestOffsetMs = useRef(clockOffsetMs);
  useLayoutEffect(() => {
    newestOffsetMs.current = clockOffsetMs;
  }, [clockOffsetMs]);
  const { atMs, dateMs } = shown ?? {};
  useEffect(() => {
    setMeasured(
      atMs === undefined || dateMs === undefined
        ? undefined
        : window.current.add({ atMs, dateMs, bufferMs, clockOffsetMs: newestOffsetMs.current }),
    );
  }, [atMs, dateMs, bufferMs]);
  return measured;
}
