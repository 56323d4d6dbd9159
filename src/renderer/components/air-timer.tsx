import { formatClock } from '../format/duration.ts';
import styles from './air-timer.module.css';

/** How long a broadcast is on air, as a clock; nothing while none is. `sinceMs` and `nowMs` are of the service's clock. */
export function AirTimer({ sinceMs, nowMs }: { sinceMs: number | undefined; nowMs: number }) {
  if (sinceMs === undefined) return null;
  return (
    <span className={styles.timer} role="timer" aria-label="On air for">
      {formatClock(nowMs - sinceMs)}
    </span>
  );
}
