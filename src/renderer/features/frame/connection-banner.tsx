import { PlugZap, Unplug } from 'lucide-react';
import { SessionEnded } from '../../components/session-ended.tsx';
import { useConnectionState } from '../../hooks/use-connection-state.ts';
import { useIsContactLost } from '../../hooks/use-lost-contact.ts';
import { useStore } from '../../store/store-context.tsx';
import styles from './banner.module.css';

/** Tells, calmly, that the page has lost the service. A running broadcast is not affected. */
export function ConnectionBanner() {
  const state = useConnectionState();
  const isLost = useIsContactLost(useStore().streams);
  const isRefused = state.kind === 'refused';

  if (isRefused) {
    return (
      <div className={styles.banner} data-state="refused">
        <Unplug aria-hidden size={16} />
        <span>
          <SessionEnded />
        </span>
      </div>
    );
  }
  if (!isLost) return null;
  return (
    <div className={styles.banner} data-state="lost">
      <PlugZap aria-hidden size={16} />
      <span>
        <strong>Lost connection to the service, reconnecting…</strong> This page shows the last known state.
      </span>
    </div>
  );
}
