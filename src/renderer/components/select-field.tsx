import { Select } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useId } from 'react';
import fieldStyles from './field.module.css';
import { popupLayer } from './popup-layer.ts';
import styles from './select-field.module.css';

interface SelectFieldProps<Value extends string> {
  label: string;
  /** Undefined: nothing is chosen yet, and the placeholder shows. */
  value: Value | undefined;
  onValue: (value: Value) => void;
  options: readonly { value: Value; label: string; note?: string }[];
  isDisabled?: boolean;
  /** Whether the label matches those of text fields. */
  isInForm?: boolean;
  placeholder?: string;
  /** How to fix the choice. */
  fault?: string | undefined;
}

/** A labelled select. */
export function SelectField<Value extends string>({
  label,
  value,
  onValue,
  options,
  isDisabled,
  isInForm,
  placeholder,
  fault,
}: SelectFieldProps<Value>) {
  const messageId = useId();
  return (
    <Select.Root
      items={options.map((option) => ({ value: option.value, label: option.label }))}
      value={value ?? null}
      onValueChange={(next) => {
        if (next !== null) onValue(next);
      }}
      disabled={isDisabled}
      modal={false}
    >
      <div className={fieldStyles.field}>
        <Select.Label className={fieldStyles.label} data-in-form={isInForm || undefined}>
          {label}
        </Select.Label>
        <Select.Trigger
          className={styles.trigger}
          aria-invalid={fault !== undefined || undefined}
          aria-describedby={fault === undefined ? undefined : messageId}
        >
          <Select.Value className={styles.value} dir="auto" placeholder={placeholder} />
          <Select.Icon className={styles.icon}>
            <ChevronsUpDown aria-hidden size={14} />
          </Select.Icon>
        </Select.Trigger>
        {fault === undefined ? null : (
          <p className={styles.fault} id={messageId}>
            {fault}
          </p>
        )}
      </div>
      <Select.Portal container={popupLayer()}>
        <Select.Positioner className={styles.positioner} sideOffset={4} alignItemWithTrigger={false}>
          <Select.Popup className={styles.popup}>
            {options.map((option) => (
              <Select.Item key={option.value} value={option.value} className={styles.item}>
                <Select.ItemIndicator className={styles.tick}>
                  <Check aria-hidden size={14} />
                </Select.ItemIndicator>
                <Select.ItemText className={styles.text} dir="auto">
                  {option.label}
                </Select.ItemText>
                {option.note === undefined ? null : <span className={styles.note}>{option.note}</span>}
              </Select.Item>
            ))}
          </Select.Popup>
        </Select.Positioner>
      </Select.Portal>
    </Select.Root>
  );
}
