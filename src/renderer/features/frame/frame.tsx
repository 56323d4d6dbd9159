import type { ReactNode } from 'react';
import { goTo } from '../../hooks/use-route.ts';
import { useShortcut } from '../../hooks/use-shortcut.ts';
import { type Route, tallyOf } from '../../routing/route.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import styles from './frame.module.css';
import { Rail } from './rail.tsx';
import { ServiceNotices } from './service-notices.tsx';

/** The window: the rail, with the screen beside it. */
export function Frame({ route, children }: { route: Route; children: ReactNode }) {
  useShortcut({ key: 't', withCommand: false }, () => goTo(tallyOf(route)));
  return (
    <div className={styles.frame}>
      <button type="button" className={styles.skip} onClick={skipToMain}>
        Skip to content
      </button>
      <Rail route={route} />
      <div className={styles.screen}>
        <ConnectionBanner />
        {/* Settings lists them all. */}
        {route.kind === 'settings' ? null : <ServiceNotices />}
        {children}
      </div>
    </div>
  );
}

/** The hash holds the route, so no link can lead there. */
function skipToMain() {
  document.querySelector<HTMLElement>('main')?.focus();
}
