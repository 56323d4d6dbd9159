import { type FormEvent, useRef, useState } from 'react';
import type { NewStream } from '../../../shared/model/stream.ts';
import type { Failure } from '../../client/failure.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceGroup } from '../../components/choice-group.tsx';
import { DialogBody, DialogFoot } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { focusFirstFault } from '../../focus/first-fault.ts';
import { useShownFaults } from '../../hooks/use-shown-faults.ts';
import { LadderEditor } from './ladder-editor.tsx';
import { type Faults, type LadderChoice, parseDraft, placeFaults, type StreamDraft } from './stream-draft.ts';
import styles from './stream-form.module.css';

interface StreamFormProps {
  initial: StreamDraft;
  submit: string;
  isPending: boolean;
  failure: Failure | undefined;
  /** Renditions can't change while on air. */
  isLadderLocked?: boolean;
  onSubmit: (stream: Required<NewStream>) => void;
  onCancel: () => void;
}

const ladderOptions: readonly { value: LadderChoice; label: string; note: string }[] = [
  { value: 'recommended', label: 'Recommended', note: '720p, 480p and 360p' },
  { value: 'none', label: 'Source only', note: 'As you send it' },
  { value: 'custom', label: 'Custom', note: 'Your own ladder' },
];

/** Name and renditions of a stream. While it is being saved nothing can be edited, since the form closes afterwards. */
export function StreamForm({
  initial,
  submit,
  isPending,
  failure,
  isLadderLocked = false,
  onSubmit,
  onCancel,
}: StreamFormProps) {
  const [draft, setDraft] = useState(initial);
  const shown = useShownFaults();
  // A fault found by the service stays until its field is edited.
  const [editedSince, setEditedSince] = useState<ReadonlySet<string>>(new Set());
  const form = useRef<HTMLFormElement>(null);

  const result = parseDraft(draft);
  const served = placeFaults(failure?.violations ?? []);
  const standing = Object.entries(served.faults).filter(([path]) => !editedSince.has(path));
  const faults: Faults = { ...Object.fromEntries(standing), ...shown.pick('faults' in result ? result.faults : {}) };

  const edit = (changes: Partial<StreamDraft>, path: string) => {
    setDraft({ ...draft, ...changes });
    shown.noteEdit(path);
    setEditedSince(new Set(editedSince).add(path));
  };
  const trySubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    shown.noteAttempt();
    setEditedSince(new Set());
    if ('stream' in result) return onSubmit(result.stream);
    focusFirstFault(form);
  };

  const isExplained = failure !== undefined && Object.keys(served.faults).length > 0 && served.others.length === 0;
  return (
    <form ref={form} className={styles.form} onSubmit={trySubmit} noValidate>
      <DialogBody>
        <TextField
          label="Name"
          value={draft.name}
          onValue={(name) => edit({ name }, 'name')}
          fault={faults.name}
          placeholder="Sunday show"
          readOnly={isPending}
          maxLength={2_000}
        />
        <ChoiceGroup
          label="Renditions"
          value={draft.ladder}
          onValue={(ladder) => edit({ ladder }, 'ladder')}
          options={ladderOptions}
          isDisabled={isLadderLocked || isPending}
        />
        {isLadderLocked ? <p className={styles.note}>You can't change renditions during a broadcast.</p> : null}
        {draft.ladder === 'custom' ? (
          <LadderEditor draft={draft} faults={faults} isLocked={isLadderLocked} isSaving={isPending} onEdit={edit} />
        ) : null}
        {failure === undefined || isExplained ? null : (
          <Notice isAnswer severity="bad" title={failure.sentence}>
            {served.others.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </Notice>
        )}
      </DialogBody>
      <DialogFoot>
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" isPending={isPending}>
          {submit}
        </Button>
      </DialogFoot>
    </form>
  );
}
