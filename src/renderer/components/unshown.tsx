import { useLostContact } from '../hooks/use-lost-contact.ts';
import styles from './waiting.module.css';

/** Stands where something will be shown once the service has told it. */
export function Waiting() {
  const isLost = useLostContact() !== undefined;
  return <p className={styles.waiting}>{isLost ? "Can't be shown without contact." : 'Loading…'}</p>;
}
