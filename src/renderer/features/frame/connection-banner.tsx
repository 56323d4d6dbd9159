import { PlugZap, Unplug } from 'lucide-react';
import { useEffect } from 'react';
import { useAnnouncer } from '../../components/announcer.tsx';
import { howToComeBack, SessionEnded } from '../../components/session-ended.tsx';
import { useConnectionState } from '../../hooks/use-connection-state.ts';
import { useLostContact } from '../../hooks/use-lost-contact.ts';
import styles from './banner.module.css';

/** Tells, calmly, that the page has lost the service. A running broadcast is not affected. */
export function ConnectionBanner() {
  const state = useConnectionState();
  const { politely } = useAnnouncer();
  const isLost = useLostContact() !== undefined;
  const isRefused = state.kind === 'refused';

  useEffect(() => {
    if (!isLost) return;
    politely('Lost connection to the service, reconnecting');
    return () => {
      politely('The service is back');
    };
  }, [isLost, politely]);
  useEffect(() => {
    if (isRefused) politely(`This page's session has ended. ${howToComeBack}`);
  }, [isRefused, politely]);

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
