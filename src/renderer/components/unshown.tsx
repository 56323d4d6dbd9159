import { useLostContact } from '../hooks/use-lost-contact.ts';
import type { LiveSnapshot } from '../store/live-value.ts';
import { Notice } from './notice.tsx';
import styles from './unshown.module.css';

/** Stands where a live value will be shown once the service has told it, or says why the service can't. `what`: like `the settings`. */
export function Unshown({ what, snapshot }: { what: string; snapshot: Exclude<LiveSnapshot<unknown>, { kind: 'known' }> }) {
  const isLost = useLostContact() !== undefined;
  if (snapshot.kind === 'failed') {
    return (
      <Notice severity="bad" title={`Can't show ${what}`}>
        {snapshot.failure.sentence}
      </Notice>
    );
  }
  return <p className={styles.waiting}>{isLost ? "Can't be shown without contact with the service." : 'Loading…'}</p>;
}
