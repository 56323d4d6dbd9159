import { CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Severity } from '../../../shared/model/live.ts';
import { SeverityIcon } from '../../components/severity-icon.tsx';
import styles from './verdict-box.module.css';

interface VerdictBoxProps {
  /** Undefined while there is nothing to judge. */
  severity: Severity | undefined;
  title: string;
  children?: ReactNode;
  /** The button that fixes it. */
  action?: ReactNode;
}

/** The answer at the top of Health: icon, title, sentence and remedy. */
export function VerdictBox({ severity, title, children, action }: VerdictBoxProps) {
  return (
    <div className={styles.verdict} data-severity={severity}>
      {severity === undefined ? (
        <CircleDashed aria-hidden size={22} className={styles.quiet} />
      ) : (
        <SeverityIcon severity={severity} size={22} named />
      )}
      <h2 className={styles.title}>{title}</h2>
      {children === undefined ? null : <p>{children}</p>}
      {action === undefined ? null : <div className={styles.action}>{action}</div>}
    </div>
  );
}
