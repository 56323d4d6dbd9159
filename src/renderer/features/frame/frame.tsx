import type { ReactNode } from 'react';
import type { Route } from '../../routing/route.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import styles from './frame.module.css';
import { Rail } from './rail.tsx';
import { ServiceNotices } from './service-notices.tsx';

/** The window: rail, and the place beside it. */
export function Frame({ route, children }: { route: Route; children: ReactNode }) {
  return (
    <div className={styles.frame}>
      <button type="button" className={styles.skip} onClick={skipToMain}>
        Skip to content
      </button>
      <Rail route={route} />
      <div className={styles.place}>
        <ConnectionBanner />
        <ServiceNotices />
        {children}
      </div>
    </div>
  );
}

/** The hash is the route's, so no link can lead there. */
function skipToMain() {
  document.querySelector<HTMLElement>('main')?.focus();
}
