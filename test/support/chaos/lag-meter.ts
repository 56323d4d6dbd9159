/** Measures how late this process runs; the service and the watchers share it. */
export interface LagMeter extends Disposable {
  /** Total time this process could not run in the last 5 s, in milliseconds: the sum of all long timer delays. */
  readonly lagMs: number;
}

/** A delay that begins just after a look counts as this much shorter. */
const intervalMs = 10;
const keptMs = 5_000;
/** Shorter delays are turns of the work that this process has to do. Many of them would allow for seconds. */
const commonMs = 40;

/** Allows for lag that isn't the service's fault: on a starved computer everything this process reports is late. */
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
