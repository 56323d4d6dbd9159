import { type ComponentProps, type ReactNode, useId } from 'react';
import fieldStyles from './field.module.css';
import styles from './text-field.module.css';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** Shown before there is input. */
  hint?: ReactNode;
  /** How to fix invalid input. */
  fault?: string | undefined;
  /** Unit after the number. */
  unit?: string;
  /** A button after the field. */
  trailing?: ReactNode;
}

/** A labelled text field with its message below. */
export function TextField({ label, value, onValue, hint, fault, unit, trailing, ...rest }: TextFieldProps) {
  const id = useId();
  const messageId = `${id}-message`;
  const hasMessage = fault !== undefined || hint !== undefined;
  return (
    <div className={fieldStyles.field}>
      <label className={fieldStyles.label} data-in-form htmlFor={id}>
        {label}
      </label>
      <div className={styles.row}>
        <div className={styles.box} data-invalid={fault !== undefined || undefined}>
          <input
            autoComplete="off"
            spellCheck={false}
            {...rest}
            id={id}
            className={styles.input}
            value={value}
            aria-invalid={fault !== undefined || undefined}
            aria-describedby={hasMessage ? messageId : undefined}
            onChange={(event) => onValue(event.target.value)}
          />
          {unit === undefined ? null : <span className={styles.unit}>{unit}</span>}
        </div>
        {trailing}
      </div>
      {hasMessage ? (
        <p className={styles.message} id={messageId} data-kind={fault === undefined ? 'hint' : 'fault'}>
          {fault ?? hint}
        </p>
      ) : null}
    </div>
  );
}
