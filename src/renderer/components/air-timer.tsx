import { type AirStatus, formatOnAirTime } from '../status/air-status.ts';
import styles from './air-timer.module.css';

/** How long a broadcast has been on air, as a clock; nothing when off air. `nowMs` is the service's clock. */
export function AirTimer({ status, nowMs }: { status: AirStatus; nowMs: number }) {
  const time = formatOnAirTime(status, nowMs);
  if (time === undefined) return null;
  return (
    <span className={styles.timer} role="timer" aria-label="On air for" data-tone={status.tone}>
      {time}
    </span>
  );
}
