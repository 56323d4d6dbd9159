/** Receives the page's clock in epoch milliseconds at each tick. */
type TickListener = (nowMs: number) => void;

interface Tick {
  nowMs: number;
  listeners: Set<TickListener>;
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
export function onTick(intervalMs: number, listener: TickListener): () => void {
  const tick = ticks.get(intervalMs) ?? startTick(intervalMs);
  tick.listeners.add(listener);
  listener(tick.nowMs);
  return () => {
    tick.listeners.delete(listener);
    if (tick.listeners.size > 0) return;
    clearInterval(tick.timer);
    ticks.delete(intervalMs);
  };
}

function startTick(intervalMs: number): Tick {
  const listeners = new Set<TickListener>();
  const timer = setInterval(() => {
    tick.nowMs = Date.now();
    for (const listener of [...listeners]) listener(tick.nowMs);
  }, intervalMs);
  const tick: Tick = { nowMs: Date.now(), listeners, timer };
  ticks.set(intervalMs, tick);
  return tick;
}
