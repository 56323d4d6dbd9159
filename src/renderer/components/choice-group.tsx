import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { type ReactNode, useId } from 'react';
import styles from './choice-group.module.css';
import fieldStyles from './field.module.css';

interface ChoiceGroupProps<Value extends string> {
  label: string;
  value: Value;
  onValue: (value: Value) => void;
  options: readonly { value: Value; label: string; note?: string; icon?: ReactNode; isDisabled?: boolean }[];
  isDisabled?: boolean;
}

/** A labelled choice with all options visible, as cards. */
export function ChoiceGroup<Value extends string>({ label, value, onValue, options, isDisabled }: ChoiceGroupProps<Value>) {
  const id = useId();
  return (
    <div className={fieldStyles.field}>
      <span className={fieldStyles.label} id={id}>
        {label}
      </span>
      <RadioGroup
        aria-labelledby={id}
        className={styles.group}
        value={value}
        onValueChange={(next) => onValue(next)}
        disabled={isDisabled}
      >
        {options.map((option) => (
          <Radio.Root
            key={option.value}
            value={option.value}
            disabled={option.isDisabled ?? false}
            className={styles.choice}
            aria-labelledby={`${id}-${option.value}`}
            aria-describedby={option.note === undefined ? undefined : `${id}-${option.value}-note`}
          >
            {option.icon === undefined ? <span className={styles.dot} aria-hidden /> : option.icon}
            <span className={styles.words}>
              <span className={styles.name} id={`${id}-${option.value}`}>
                {option.label}
              </span>
              {option.note === undefined ? null : (
                <span className={styles.note} id={`${id}-${option.value}-note`}>
                  {option.note}
                </span>
              )}
            </span>
          </Radio.Root>
        ))}
      </RadioGroup>
    </div>
  );
}
