import { CircleDashed, CirclePause, CircleQuestionMark, LoaderCircle, RotateCw, TriangleAlert, Unplug } from 'lucide-react';
import { type AirStatus, formatAway } from '../status/air-status.ts';
import styles from './air-mark.module.css';

interface AirMarkProps {
  status: AirStatus;
  /** `large` is for the status bar, `huge` fills the window. */
  size: 'huge' | 'large' | 'small';
  /** The service's clock, epoch milliseconds; needed to count the seconds without media. */
  nowMs?: number;
}

/** Whether a stream is on air: icon, word, colour, and for how long no media has arrived. */
export function AirMark({ status, size, nowMs }: AirMarkProps) {
  const away = nowMs === undefined ? undefined : formatAway(status, nowMs);
  return (
    <span
      className={styles.mark}
      data-state={status.kind}
      data-tone={status.tone}
      data-size={size}
      data-warned={status.isWarned}
    >
      <AirIcon kind={status.kind} />
      <span>{status.word}</span>
      {away === undefined ? null : <span className={styles.away}>{away}</span>}
    </span>
  );
}

function AirIcon({ kind }: { kind: AirStatus['kind'] }) {
  switch (kind) {
    case 'on-air':
      return <span className={styles.lamp} aria-hidden />;
    case 'connecting':
      return <LoaderCircle className={styles.turning} aria-hidden />;
    case 'reconnecting':
      return <RotateCw className={styles.turning} aria-hidden />;
    case 'signal-lost':
      return <Unplug aria-hidden />;
    case 'no-signal':
    case 'lost':
      return <TriangleAlert aria-hidden />;
    case 'suspended':
      return <CirclePause aria-hidden />;
    case 'unknown':
      return <CircleQuestionMark aria-hidden />;
    case 'off-air':
      return <CircleDashed aria-hidden />;
  }
}
