import type { ReactNode } from 'react';
import type { Severity } from '../../shared/model/live.ts';
import styles from './notice.module.css';
import { SeverityIcon } from './severity-icon.tsx';

interface NoticeProps {
  severity: Severity;
  title?: string;
  children: ReactNode;
  /** Buttons that mend it. */
  actions?: ReactNode;
}

/** Something to know, with the button that mends it. */
export function Notice({ severity, title, children, actions }: NoticeProps) {
  return (
    <div className={styles.notice} data-severity={severity} role={severity === 'bad' ? 'alert' : undefined}>
      <SeverityIcon severity={severity} size={18} />
      <div className={styles.body}>
        {title === undefined ? null : <p className={styles.title}>{title}</p>}
        <div className={styles.text}>{children}</div>
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  );
}
