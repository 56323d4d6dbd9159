import { type ReactNode, useId } from 'react';
import { CopyButton } from './copy-button.tsx';
import styles from './copy-field.module.css';
import fieldStyles from './field.module.css';

interface CopyFieldProps {
  label: string;
  /** The text shown. */
  shown: string;
  /** Returns the text to copy, if it differs from what is shown. */
  read?: () => string | Promise<string>;
  onCopied?: (() => void) | undefined;
  /** A note below it. */
  note?: string;
  /** Buttons before Copy. */
  children?: ReactNode;
}

/** A labelled value with a button that copies it. */
export function CopyField({ label, shown, read, onCopied, note, children }: CopyFieldProps) {
  const id = useId();
  return (
    <fieldset className={fieldStyles.field} aria-labelledby={id}>
      <span className={fieldStyles.label} id={id}>
        {label}
      </span>
      <div className={styles.box}>
        <code className={styles.value} title={shown.startsWith('•') ? undefined : shown}>
          {shown}
        </code>
        {children}
        <CopyButton what={label} read={read ?? (() => shown)} onCopied={onCopied} />
      </div>
      {note === undefined ? null : <p className={styles.note}>{note}</p>}
    </fieldset>
  );
}
