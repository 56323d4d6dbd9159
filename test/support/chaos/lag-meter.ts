/** How late this process is, where service and watchers run together. */
export interface LagMeter extends Disposable {
  /** The longest that a timer was late in the last 5 s, in milliseconds. */
  readonly lagMs: number;
}

const intervalMs = 50;
const keptMs = 5_000;

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
      return Math.max(performance.now() - dueMs, 0, ...lates.map(({ lateMs }) => lateMs));
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
