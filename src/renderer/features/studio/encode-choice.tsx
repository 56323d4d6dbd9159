import type { EncodePreset, EncodePreview } from '../../../shared/model/encode-settings.ts';
import { encodeBounds, encodePresets } from '../../../shared/model/encode-settings.ts';
import { withUnit } from '../../../shared/with-unit.ts';
import {
  describeBitrate,
  describeCores,
  describeDoubt,
  describeSettings,
  describeUpload,
  presetNames,
} from '../../../shared/words/encode-words.ts';
import { SelectField } from '../../components/select-field.tsx';
import { SeverityIcon } from '../../components/severity-icon.tsx';
import { TextField } from '../../components/text-field.tsx';
import { unknownValue } from '../../format/quantity.ts';
import styles from './encode-choice.module.css';
import { type EncodeDraft, offeredSizes } from './encode-draft.ts';
import type { EncodeChoosing } from './use-encode-choice.ts';

const presets = (Object.keys(encodePresets) as EncodePreset[]).map((value) => ({
  value,
  label: presetNames[value],
  note: describeBitrate(encodePresets[value]),
}));
const kinds: readonly { value: EncodeDraft['kind']; label: string; note?: string }[] = [
  { value: 'automatic', label: 'Automatic', note: 'The best your source, computer and upload can handle' },
  ...presets,
  { value: 'by-hand', label: 'Custom' },
];
const keyframeChoices = Array.from({ length: encodeBounds.keyframeSeconds.max }, (_, index) => String(index + 1));

interface EncodeChoiceProps {
  encode: EncodeChoosing;
  isDisabled: boolean;
}

/** Chooses what viewers get, and shows what it will cost. */
export function EncodeChoiceFields({ encode, isDisabled }: EncodeChoiceProps) {
  const { draft, choose, preview } = encode;
  return (
    <section className={styles.encode} aria-label="Quality and cost">
      <SelectField label="Quality" value={draft.kind} onValue={choose} options={kinds} isDisabled={isDisabled} />
      {draft.kind === 'by-hand' ? <ByHand encode={encode} /> : null}
      {isDisabled ? null : <Cost preview={preview} />}
    </section>
  );
}

type NumberName = keyof EncodeChoosing['faults'];
const numberFields: Readonly<Record<NumberName, { label: string; unit?: string }>> = {
  fps: { label: 'Frames per second' },
  videoBitrate: { label: 'Video bitrate', unit: 'kbit/s' },
  audioBitrate: { label: 'Audio bitrate', unit: 'kbit/s' },
};

function ByHand({ encode: { draft, edit, faults } }: Pick<EncodeChoiceProps, 'encode'>) {
  const sizes = [...new Set([...offeredSizes, draft.size])];
  const number = (name: NumberName) => (
    <TextField
      {...numberFields[name]}
      inputMode="numeric"
      value={draft[name]}
      onValue={(value) => edit({ [name]: value })}
      fault={faults[name]}
    />
  );
  return (
    <div className={styles.fields}>
      <SelectField
        label="Size"
        isInForm
        value={draft.size}
        onValue={(size) => edit({ size })}
        options={sizes.map((value) => ({ value, label: value.replace('x', ' × ') }))}
      />
      {number('fps')}
      {number('videoBitrate')}
      <SelectField
        label="Keyframe interval"
        isInForm
        value={draft.keyframeSeconds}
        onValue={(keyframeSeconds) => edit({ keyframeSeconds })}
        options={keyframeChoices.map((value) => ({ value, label: withUnit(value, 's') }))}
      />
      {number('audioBitrate')}
    </div>
  );
}

/** Takes up its space before it is known: content below it must not move away from a click. */
function Cost({ preview }: { preview: EncodePreview | undefined }) {
  const facts = {
    'Viewers get': preview && describeSettings(preview.settings),
    Processor: preview && describeCores(preview),
    Upload: preview && describeUpload(preview),
  };
  return (
    <div className={styles.cost} aria-live={preview && 'polite'}>
      <dl className={styles.facts}>
        {Object.entries(facts).map(([name, value = unknownValue]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {preview?.doubts.map((doubt) => (
        <p key={doubt.code} className={styles.doubt}>
          <SeverityIcon severity="warn" size={16} />
          {describeDoubt(doubt)}
        </p>
      ))}
    </div>
  );
}
