import { TextField } from '../../components/text-field.tsx';
import styles from './stream-search.module.css';

interface StreamSearchProps {
  value: string;
  onValue: (value: string) => void;
  /** How many streams have what is sought. */
  found: number;
}

/** Finds streams by name in a long list. */
export function StreamSearch({ value, onValue, found }: StreamSearchProps) {
  return (
    <search className={styles.search}>
      <TextField type="search" label="Find a stream" placeholder="Name" value={value} onValue={onValue} />
      <p className={styles.found} role="status">
        {value.trim() === '' ? '' : found === 0 ? 'No stream matches.' : `${found} found`}
      </p>
    </search>
  );
}
