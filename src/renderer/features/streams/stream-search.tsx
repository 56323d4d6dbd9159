import { TextField } from '../../components/text-field.tsx';
import styles from './stream-search.module.css';

interface StreamSearchProps {
  value: string;
  onValue: (value: string) => void;
  /** How many streams match. */
  found: number;
}

/** Searches a long list of streams by name. */
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
