import { type FormEvent, useRef, useState } from 'react';
import type { EncoderChoice } from '../../../shared/model/encoder.ts';
import type { Settings, SettingsChanges } from '../../../shared/model/settings.ts';
import type { ServiceInfo } from '../../../shared/model/views.ts';
import { Button } from '../../components/button.tsx';
import { CheckboxRow } from '../../components/checkbox-row.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { focusFirstFault } from '../../focus/first-fault.ts';
import { useAction } from '../../hooks/use-action.ts';
import { useShownFaults } from '../../hooks/use-shown-faults.ts';
import { useToasts } from '../../hooks/use-toasts.ts';
import { useUnsavedGuard } from '../../hooks/use-unsaved-guard.ts';
import { describeGiven } from '../../status/given-setting.ts';
import { EncoderSetting } from './encoder-setting.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import {
  draftOfSettings,
  type FormSetting,
  isEdited,
  parseSettings,
  type SettingsEdits,
  withEdit,
  withoutSaved,
} from './settings-draft.ts';
import styles from './settings-form.module.css';

interface SettingsFormProps {
  settings: Settings;
  running: ServiceInfo | undefined;
  onSaved: (settings: Settings) => void;
}

type PortName = 'httpPort' | 'rtmpPort';

const portNames: readonly PortName[] = ['httpPort', 'rtmpPort'];

const isPort = (field: FormSetting): field is PortName => portNames.some((name) => name === field);

interface FieldText {
  field: FormSetting;
  label: string;
  hint: string;
  unit?: string;
  isNumber: boolean;
}

/** The fields by topic, the most often changed first; `encoder` and `lookahead` have controls of their own. */
const groups: readonly { title: string; fields: readonly FieldText[] }[] = [
  {
    title: 'Playback',
    fields: [
      {
        field: 'liveWindowSeconds',
        label: 'Live window',
        hint: 'How far viewers can rewind: 60 s to 4 h. Takes effect with the next broadcast.',
        unit: 's',
        isNumber: true,
      },
      {
        field: 'partMs',
        label: 'Part length',
        hint: 'Players stay two parts behind live. Shorter means less latency, longer means steadier playback.',
        unit: 'ms',
        isNumber: true,
      },
      {
        field: 'reconnectWindowSeconds',
        label: 'Reconnect window',
        hint: 'How long a broadcast waits for a lost encoder.',
        unit: 's',
        isNumber: true,
      },
    ],
  },
  {
    title: 'Sound',
    fields: [
      {
        field: 'loudnessTargetLufs',
        label: 'Loudness target',
        hint: 'Health warns when a minute of sound is more than 3 LU off. Most platforms expect about −16, European television −23.',
        unit: 'LUFS',
        isNumber: false,
      },
    ],
  },
  {
    title: 'Addresses',
    fields: [
      {
        field: 'httpPort',
        label: 'HTTP port',
        hint: 'API, playback and this page. Takes effect after a restart.',
        isNumber: true,
      },
      { field: 'rtmpPort', label: 'RTMP port', hint: 'Encoders expect 1935. Takes effect after a restart.', isNumber: true },
      { field: 'regionCode', label: 'Region', hint: 'The airport nearest to this computer.', isNumber: false },
      {
        field: 'serviceDomain',
        label: 'Service domain',
        hint: 'Only if others reach this computer by name.',
        isNumber: false,
      },
      {
        field: 'tlsCertificatePath',
        label: 'TLS certificate',
        hint: 'For HTTPS and RTMPS: a PEM file with the certificate and its chain. Takes effect after a restart.',
        isNumber: false,
      },
      {
        field: 'tlsKeyPath',
        label: 'TLS key',
        hint: 'The PEM file with its private key. Takes effect after a restart.',
        isNumber: false,
      },
    ],
  },
];

/** The form: validated while typing, saved as a whole, sending only changes. */
export function SettingsForm({ settings, running, onSaved }: SettingsFormProps) {
  const toasts = useToasts();
  // Fields that aren't edited follow the settings, whoever changes them.
  const [edits, setEdits] = useState<SettingsEdits>({});
  const draft = { ...draftOfSettings(settings), ...edits };
  // While saving, a field set back is still an edit: the saved value is about to change.
  const edit = (field: FormSetting, value: string) =>
    setEdits(save.isPending ? { ...edits, [field]: value } : withEdit(edits, field, value, settings));
  const shown = useShownFaults();
  const form = useRef<HTMLFormElement>(null);
  const save = useAction(
    async (client, changes: SettingsChanges) => {
      onSaved(await client.settings.update(changes));
      // Text typed while saving stays.
      setEdits((now) => withoutSaved(now, edits));
      shown.clear();
      toasts.say('Settings saved');
    },
    { ifGone: () => ['Settings', "weren't saved"] },
  );
  const result = parseSettings(draft, settings);
  const faults = shown.pick('faults' in result ? result.faults : {});
  const sources = running?.settingSources ?? {};
  const arePortsWaiting =
    running !== undefined && portNames.some((field) => running[field] !== settings[field] && sources[field] === undefined);
  // A port given at the start may be 0 for any free one: the port in use is shown.
  const shownText = (field: FormSetting) =>
    isPort(field) && sources[field] !== undefined ? String(running?.[field]) : draft[field];

  const isDirty = isEdited(draft, settings);
  const leaving = useUnsavedGuard(isDirty);
  const reset = () => {
    setEdits({});
    shown.clear();
    save.clear();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    if ('changes' in result) {
      if (Object.keys(result.changes).length > 0) void save.run(result.changes);
      // The saved values were only typed in another spelling.
      else reset();
      return;
    }
    shown.noteAttempt();
    focusFirstFault(form);
  };

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      {arePortsWaiting ? (
        <Notice severity="warn">
          Tallylight is using HTTP port {running.httpPort} and RTMP port {running.rtmpPort}. The ports below apply after a
          restart.
        </Notice>
      ) : null}
      <fieldset className={styles.group}>
        <legend className={styles.title}>Encoding</legend>
        <EncoderSetting
          value={draft.encoder as EncoderChoice}
          onValue={(encoder) => edit('encoder', encoder)}
          encoders={running?.encoders}
          source={sources.encoder}
        />
        <CheckboxRow
          label="Look ahead: better pictures, up to a third of a second later"
          note={
            sources.lookahead === undefined
              ? 'x264 plans ten frames ahead, which shows most at 1080p. Used for Go live from the next broadcast on, not for renditions.'
              : describeGiven(sources.lookahead)
          }
          isChecked={draft.lookahead === 'on'}
          isDisabled={sources.lookahead !== undefined}
          onChecked={(isOn) => edit('lookahead', isOn ? 'on' : 'off')}
        />
      </fieldset>
      {groups.map(({ title, fields }) => (
        <fieldset key={title} className={styles.group}>
          <legend className={styles.title}>{title}</legend>
          <div className={styles.fields}>
            {fields.map(({ field, label, hint, unit, isNumber }) => (
              <TextField
                key={field}
                label={label}
                value={shownText(field)}
                readOnly={sources[field] !== undefined}
                onValue={(value) => {
                  edit(field, value);
                  shown.noteEdit(field);
                }}
                hint={describeGiven(sources[field]) ?? hint}
                fault={faults[field]}
                inputMode={isNumber ? 'numeric' : undefined}
                placeholder={field === 'serviceDomain' ? 'live.example.com' : undefined}
                unit={unit}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <FailureNotice failure={save.failure} />
      <div className={styles.foot} data-dirty={isDirty || undefined}>
        <Button type="submit" kind="primary" isPending={save.isPending}>
          Save
        </Button>
        {isDirty ? (
          <>
            <Button onClick={reset} isUnavailable={save.isPending}>
              Discard
            </Button>
            <span className={styles.dirty} role="status">
              Unsaved changes
            </span>
          </>
        ) : null}
      </div>
      <LeaveDialog leaving={leaving} onDiscard={reset} />
    </form>
  );
}
