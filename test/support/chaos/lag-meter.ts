/** How late this process is, where service and watchers run together. */
export interface LagMeter extends Disposable {
  /** For how long of the last 5 s it could not run, in milliseconds: what timers were late, together. */
  readonly lagMs: number;
}

const intervalMs = 50;
const keptMs = 5_000;
/** Later than this is no common delay of a timer. */
const commonMs = 20;

/** What it measures is no promise of the service: a computer that gives this process no time makes all that it says as late. */
export function startLagMeter(): LagMeter {
  let lates: { atMs: number; lateMs: number }[] = [];
  let dueMs = performance.now() + intervalMs;
  const timer = setInterval(() => {
    const now = performance.now();
    lates = [...lates.filter(({ atMs }) => now - atMs < keptMs), { atMs: now, lateMs: Math.max(0, now - dueMs) }];
    dueMs = now + intervalMs;
  }, intervalMs);
  return {
    get lagMs() {
      const times = [performance.now() - dueMs, ...lates.map(({ lateMs }) => lateMs)];
      return times.reduce((sum, ms) => sum + (ms > commonMs ? ms : 0), 0);
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
