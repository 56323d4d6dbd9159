import type { EncoderChoice } from '../../../shared/model/encoder.ts';
import type { SettingSource } from '../../../shared/model/settings.ts';
import type { ServiceInfo } from '../../../shared/model/views.ts';
import { SelectField } from '../../components/select-field.tsx';
import { describeGiven } from '../../status/given-setting.ts';
import { listEncoderOptions, listFailedEncoders } from './encoder-options.ts';
import styles from './encoder-setting.module.css';
import { FailedEncoders } from './failed-encoders.tsx';

interface EncoderSettingProps {
  value: EncoderChoice;
  onValue: (value: EncoderChoice) => void;
  /** The encoders this computer can use; absent until they have been tried. */
  encoders: ServiceInfo['encoders'];
  /** Set if it was given at the start, so that it can't be changed here. */
  source: SettingSource | undefined;
}

/** Chooses the encoder, and lists those that failed here. */
export function EncoderSetting({ value, onValue, encoders, source }: EncoderSettingProps) {
  return (
    <div className={styles.encoder}>
      <div className={styles.choice}>
        <SelectField
          isInForm
          label="Encoder"
          value={value}
          onValue={onValue}
          options={listEncoderOptions(encoders, value)}
          isDisabled={source !== undefined}
        />
        <p className={styles.hint}>
          {source === undefined ? null : `${describeGiven(source)} `}
          Used for Go live and renditions from the next broadcast on.{' '}
          {encoders === undefined
            ? "This computer's encoders haven't been tested yet."
            : 'Only encoders that passed a short test on this computer are listed.'}
        </p>
      </div>
      <FailedEncoders failed={listFailedEncoders(encoders)} />
    </div>
  );
}
