import { Hourglass } from 'lucide-react';
import type { RenditionStatus } from '../status/rendition-status.ts';
import styles from './rendition-mark.module.css';
import { SeverityIcon } from './severity-icon.tsx';

/** A rendition's state, as icon and word. `glass` is for use over a picture. */
export function RenditionMark({ status, surface = 'plain' }: { status: RenditionStatus; surface?: 'plain' | 'glass' }) {
  return (
    <span className={styles.mark} data-kind={status.kind} data-surface={surface}>
      {status.kind === 'waiting' ? (
        <Hourglass aria-hidden size={14} strokeWidth={1.9} />
      ) : (
        <SeverityIcon severity={status.kind} size={14} />
      )}
      <span>{status.word}</span>
    </span>
  );
}
