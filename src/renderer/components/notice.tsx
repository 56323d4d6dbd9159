import type { ReactNode } from 'react';
import type { Severity } from '../../shared/model/live.ts';
import styles from './notice.module.css';
import { SeverityIcon } from './severity-icon.tsx';

interface NoticeProps {
  severity: Severity;
  title?: string;
  children: ReactNode;
  /** More about it, read on purpose and not announced. */
  details?: ReactNode;
  /** Buttons that mend it. */
  actions?: ReactNode;
  /** What closes it, in its corner. */
  corner?: ReactNode;
}

/** Something to know, with the button that mends it. What is bad is announced at once, its words alone. */
export function Notice({ severity, title, children, details, actions, corner }: NoticeProps) {
  return (
    <div className={styles.notice} data-severity={severity}>
      <SeverityIcon severity={severity} size={18} />
      <div className={styles.body}>
        <div role={severity === 'bad' ? 'alert' : undefined}>
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
