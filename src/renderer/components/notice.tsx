import type { ReactNode } from 'react';
import type { Severity } from '../../shared/model/live.ts';
import styles from './notice.module.css';
import { SeverityIcon } from './severity-icon.tsx';

interface NoticeProps {
  severity: Severity;
  title?: string;
  children: ReactNode;
  /** Details, read on demand and not announced. */
  details?: ReactNode;
  /** Buttons that fix it. */
  actions?: ReactNode;
  /** The close button in the corner. */
  corner?: ReactNode;
  /** Whether a bad notice is announced: not if the announcer says it. */
  isAnnounced?: boolean;
  /** Whether it answers a press: then it scrolls into view, wherever in a form it is. */
  isAnswer?: boolean;
}

/** A message with the buttons that fix its cause. Only its text is announced, and at once if it is bad. */
export function Notice({
  severity,
  title,
  children,
  details,
  actions,
  corner,
  isAnnounced = true,
  isAnswer = false,
}: NoticeProps) {
  return (
    <div ref={isAnswer ? bringIntoSight : undefined} className={styles.notice} data-severity={severity}>
      <SeverityIcon severity={severity} size={18} />
      <div className={styles.body}>
        <div role={severity === 'bad' && isAnnounced ? 'alert' : undefined}>
          {title === undefined ? null : <p className={styles.title}>{title}</p>}
          <div className={styles.text}>{children}</div>
        </div>
        {details}
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </div>
      {corner}
    </div>
  );
}

function bringIntoSight(notice: HTMLElement | null) {
  notice?.scrollIntoView({ block: 'nearest' });
}
