import type { DeviceList } from '../../../shared/model/capture.ts';
import type { Inset } from '../../../shared/model/source.ts';
import { CheckboxRow } from '../../components/checkbox-row.tsx';
import { SelectField } from '../../components/select-field.tsx';
import styles from './corner-camera.module.css';
import { DeviceField } from './device-field.tsx';
import type { InsetDraft } from './source-draft.ts';
import type { ReopeningCaptures } from './use-reopened-captures.ts';

const corners: readonly { value: Inset['corner']; label: string }[] = [
  { value: 'top-left', label: 'Top left' },
  { value: 'top-right', label: 'Top right' },
  { value: 'bottom-left', label: 'Bottom left' },
  { value: 'bottom-right', label: 'Bottom right' },
];

interface CornerCameraProps {
  value: InsetDraft | undefined;
  onValue: (inset: InsetDraft | undefined) => void;
  devices: DeviceList | undefined;
  pages: ReopeningCaptures;
  fault: string | undefined;
}

/** A camera in a corner of the picture. */
export function CornerCamera({ value, onValue, devices, pages, fault }: CornerCameraProps) {
  return (
    <div className={styles.corner}>
      <CheckboxRow
        label="Camera in a corner"
        isChecked={value !== undefined}
        onChecked={(isChecked) => onValue(isChecked ? { from: undefined, corner: 'bottom-right', share: 0.25 } : undefined)}
      />
      {value === undefined ? null : (
        <>
          <DeviceField
            kind="camera"
            label="Camera in the corner"
            value={value.from}
            onValue={(from) => onValue({ ...value, from })}
            devices={devices}
            pages={pages}
            fault={fault}
          />
          <div className={styles.place}>
            <SelectField
              label="Corner"
              value={value.corner}
              onValue={(corner) => onValue({ ...value, corner })}
              options={corners}
            />
            <label className={styles.size}>
              Width
              <input
                type="range"
                min={10}
                max={50}
                step={1}
                value={Math.round(value.share * 100)}
                aria-valuetext={`${Math.round(value.share * 100)} % of the picture`}
                onChange={(event) => onValue({ ...value, share: Number(event.target.value) / 100 })}
              />
            </label>
          </div>
        </>
      )}
    </div>
  );
}
