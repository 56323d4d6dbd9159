import { Plus, Trash2 } from 'lucide-react';
import { profileBounds } from '../../../shared/model/profile.ts';
import { Button } from '../../components/button.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { TextField } from '../../components/text-field.tsx';
import styles from './ladder-editor.module.css';
import { blankProfile, type Faults, type ProfileDraft, type StreamDraft } from './stream-draft.ts';

interface LadderEditorProps {
  draft: StreamDraft;
  faults: Faults;
  isLocked: boolean;
  /** Set while it is being saved: it can be read, but not edited. */
  isSaving: boolean;
  onEdit: (changes: Partial<StreamDraft>, path: string) => void;
}

const fields: readonly {
  field: keyof Omit<ProfileDraft, 'key' | 'bitrateBps'>;
  path: string;
  label: string;
  unit?: string;
  isNumber: boolean;
}[] = [
  { field: 'name', path: 'name', label: 'Name', isNumber: false },
  { field: 'width', path: 'width', label: 'Width', unit: 'px', isNumber: true },
  { field: 'height', path: 'height', label: 'Height', unit: 'px', isNumber: true },
  { field: 'bitrateKilobits', path: 'bitrate', label: 'Bitrate', unit: 'kbit/s', isNumber: true },
];

/** The renditions of a custom ladder, one row each, and the frame rate they share. */
export function LadderEditor({ draft, faults, isLocked, isSaving, onEdit }: LadderEditorProps) {
  const { profiles } = draft;
  const change = (index: number, changes: Partial<ProfileDraft>, path: string) =>
    onEdit({ profiles: profiles.map((profile, at) => (at === index ? { ...profile, ...changes } : profile)) }, path);
  return (
    <div className={styles.ladder}>
      <ul className={styles.rows} aria-label="Renditions">
        {profiles.map((profile, index) => (
          <li key={profile.key}>
            <fieldset className={styles.row} disabled={isLocked}>
              <legend className={styles.legend}>Rendition {index + 1}</legend>
              {fields.map(({ field, path, label, unit, isNumber }) => (
                <TextField
                  key={field}
                  label={label}
                  value={profile[field]}
                  onValue={(value) => change(index, { [field]: value }, `profiles[${index}].${path}`)}
                  fault={faults[`profiles[${index}].${path}`]}
                  inputMode={isNumber ? 'numeric' : undefined}
                  readOnly={isSaving}
                  unit={unit}
                />
              ))}
              <span className={styles.remove}>
                <IconButton
                  label={`Remove rendition ${index + 1}`}
                  icon={<Trash2 aria-hidden />}
                  disabled={isSaving}
                  onClick={() => onEdit({ profiles: profiles.filter((_, at) => at !== index) }, 'profiles')}
                />
              </span>
            </fieldset>
          </li>
        ))}
      </ul>
      {profiles.length === 0 ? <p className={styles.none}>No renditions: viewers get only the source.</p> : null}
      <div className={styles.foot}>
        <Button
          icon={<Plus aria-hidden />}
          disabled={isLocked || isSaving}
          isUnavailable={profiles.length >= profileBounds.profilesPerStream}
          onClick={() => onEdit({ profiles: [...profiles, blankProfile(profiles)] }, 'profiles')}
        >
          Add rendition
        </Button>
        <div className={styles.fps}>
          <TextField
            label="Frame rate of all renditions"
            value={draft.fps}
            onValue={(fps) => onEdit({ fps }, 'fps')}
            fault={faults.fps}
            hint="Leave empty to keep the source's."
            placeholder="Source"
            unit="fps"
            inputMode="numeric"
            disabled={isLocked}
            readOnly={isSaving}
          />
        </div>
      </div>
    </div>
  );
}
