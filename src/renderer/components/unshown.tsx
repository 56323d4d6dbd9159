import { useIsContactLost } from '../hooks/use-lost-contact.ts';
import type { LiveSnapshot } from '../store/live-value.ts';
import { Notice } from './notice.tsx';
import styles from './unshown.module.css';

/** A placeholder until the service has sent a live value, or the reason why it can't. `what` names the value, like `the settings`. */
export function Unshown({ what, snapshot }: { what: string; snapshot: Exclude<LiveSnapshot<unknown>, { kind: 'known' }> }) {
  const isLost = useIsContactLost();
  if (snapshot.kind === 'failed') {
    return (
      <Notice severity="bad" title={`Can't show ${what}`}>
        {snapshot.failure.sentence}
      </Notice>
    );
  }
  return <p className={styles.waiting}>{isLost ? "Can't be shown without contact with the service." : 'Loading…'}</p>;
}
