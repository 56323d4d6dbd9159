import type { ReactNode } from 'react';
import styles from './status-strip.module.css';

/** The bar at the top of every place: red only while on air. */
export function StatusStrip({ isOnAir, children }: { isOnAir: boolean; children: ReactNode }) {
  return (
    <header className={styles.strip} data-on-air={isOnAir || undefined}>
      {children}
    </header>
  );
}
