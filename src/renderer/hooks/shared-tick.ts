import { createListeners, type Listeners } from '../../shared/listeners.ts';

interface Tick {
  nowMs: number;
  /** Called with the page's clock, in epoch milliseconds. */
  listeners: Listeners<number>;
  timer: ReturnType<typeof setInterval>;
}

/** The timers by interval, in milliseconds. They run while somebody listens. */
const ticks = new Map<number, Tick>();

/** The time of the last tick of this interval; the current one while nobody listens to it. */
export function readTick(intervalMs: number): number {
  return ticks.get(intervalMs)?.nowMs ?? Date.now();
}

/**
 * Calls `listener` with the time, now and every `intervalMs`. Listeners of one interval share a timer: otherwise two timers shown for one
 * broadcast could differ by a second. Returns the undo.
 */
export function onTick(intervalMs: number, listener: (nowMs: number) => void): () => void {
  const tick = ticks.get(intervalMs) ?? startTick(intervalMs);
  const undo = tick.listeners.on(listener);
  listener(tick.nowMs);
  return () => {
    undo();
    if (!tick.listeners.isEmpty()) return;
    clearInterval(tick.timer);
    ticks.delete(intervalMs);
  };
}

function startTick(intervalMs: number): Tick {
  const listeners = createListeners<number>();
  const timer = setInterval(() => {
    tick.nowMs = Date.now();
    listeners.emit(tick.nowMs);
  }, intervalMs);
  const tick: Tick = { nowMs: Date.now(), listeners, timer };
  ticks.set(intervalMs, tick);
  return tick;
}
