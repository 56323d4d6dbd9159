import type { ReactNode } from 'react';
import styles from './checkbox-row.module.css';

interface CheckboxRowProps {
  label: string;
  /** A note below the label. */
  note?: ReactNode;
  isChecked: boolean;
  isDisabled?: boolean;
  onChecked: (isChecked: boolean) => void;
}

/** A setting that is on or off. */
export function CheckboxRow({ label, note, isChecked, isDisabled = false, onChecked }: CheckboxRowProps) {
  return (
    <label className={styles.row}>
      <input type="checkbox" checked={isChecked} disabled={isDisabled} onChange={(event) => onChecked(event.target.checked)} />
      <span>
        {label}
        {note === undefined ? null : <small>{note}</small>}
      </span>
    </label>
  );
}
