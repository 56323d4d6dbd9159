import { CircleDashed, CirclePause, LoaderCircle, RotateCw, Unplug } from 'lucide-react';
import type { AirStatus } from '../status/air-status.ts';
import styles from './air-mark.module.css';

/** Whether a stream is on air: icon, word and colour. `large` is the one of the status bar. */
export function AirMark({ status, size }: { status: AirStatus; size: 'large' | 'small' }) {
  return (
    <span className={styles.mark} data-state={status.kind} data-size={size}>
      <AirIcon kind={status.kind} />
      {status.word}
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
    case 'suspended':
      return <CirclePause aria-hidden />;
    case 'unknown':
      return <Unplug aria-hidden />;
    case 'off-air':
      return <CircleDashed aria-hidden />;
  }
}
