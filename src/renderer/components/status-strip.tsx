import type { ReactNode } from 'react';
import styles from './status-strip.module.css';

interface StatusStripProps {
  /** The bar's colour: `live` is red, `warn` amber. */
  tone: 'live' | 'warn' | 'busy' | 'calm';
  /** The subject, with a smaller line below. */
  name?: ReactNode;
  note?: ReactNode;
  /** The large state and its time. */
  state?: ReactNode;
  /** The buttons, whose position doesn't depend on the state. */
  actions?: ReactNode;
}

/** The bar at the top of every screen, coloured by its state: red on air, amber in trouble. */
export function StatusStrip({ tone, name, note, state, actions }: StatusStripProps) {
  return (
    <header className={styles.strip} data-tone={tone}>
      <div className={styles.bar}>
        <div className={styles.identity}>
          <div className={styles.name}>{name}</div>
          <div className={styles.note}>{note}</div>
        </div>
        <div className={styles.state}>{state}</div>
        <div className={styles.actions}>{actions}</div>
      </div>
    </header>
  );
}
