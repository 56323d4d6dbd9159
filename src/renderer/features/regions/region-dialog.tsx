import { type FormEvent, useRef, useState } from 'react';
import type { Region, RegionsView } from '../../../shared/model/region.ts';
import { trimPasted } from '../../../shared/trim-pasted.ts';
import { formatRegion } from '../../../shared/words/region-name.ts';
import { describeFieldFault } from '../../../shared/words/region-words.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceGroup } from '../../components/choice-group.tsx';
import { Dialog, DialogBody, DialogFoot } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { focusFirstFault } from '../../focus/first-fault.ts';
import { useAction } from '../../hooks/use-action.ts';
import { useShownFaults } from '../../hooks/use-shown-faults.ts';
import { useToasts } from '../../hooks/use-toasts.ts';
import { draftOfRegion, placeRegion, type RegionDraft, type RegionFaults, renameRegion } from './region-draft.ts';

/** The region whose form is open: a new one, or a known one by its code. */
export type EditedRegion = { kind: 'new' } | { kind: 'known'; code: string; isOwn: boolean };

interface RegionDialogProps {
  edited: EditedRegion | undefined;
  view: RegionsView;
  onClose: () => void;
}

/** Adds a region, or changes its code and its URLs. While it is being saved nothing can be edited, since the dialog closes afterwards. */
export function RegionDialog({ edited, view, onClose }: RegionDialogProps) {
  const title = edited?.kind === 'known' ? `Edit ${formatRegion(edited.code)}` : 'Add region';
  return (
    <Dialog isOpen={edited !== undefined} onClose={onClose} title={title}>
      {edited === undefined ? null : <RegionForm edited={edited} view={view} onClose={onClose} />}
    </Dialog>
  );
}

interface UrlField {
  field: 'ingest' | 'playback' | 'base';
  label: string;
  placeholder: string;
  hint?: string;
}

const urlFields: readonly UrlField[] = [
  { field: 'ingest', label: 'Ingest URL', placeholder: 'rtmps://ingest.example.org/live' },
  { field: 'playback', label: 'Playback URL', placeholder: 'https://play.example.org/hls' },
  {
    field: 'base',
    label: 'Base URL',
    placeholder: 'https://play.example.org',
    hint: 'Leave empty if it is the playback URL without /hls.',
  },
];

function RegionForm({ edited, view, onClose }: RegionDialogProps & { edited: EditedRegion }) {
  const toasts = useToasts();
  const code = edited.kind === 'known' ? edited.code : undefined;
  const isOwn = edited.kind === 'known' && edited.isOwn;
  const { listed, serviceDomain } = view;
  const known = listed.find((region) => region.code === code) ?? (code === undefined ? undefined : { code });
  const [draft, setDraft] = useState<RegionDraft>(() => draftOfRegion(known, serviceDomain !== undefined));
  const shown = useShownFaults();
  const form = useRef<HTMLFormElement>(null);
  const codeNow = trimPasted(draft.code).toLowerCase();
  const save = useAction(
    async (client, regions: Region[]) => {
      await client.settings.update({ regions, ...renameRegion(view, code, codeNow) });
      toasts.say(`${formatRegion(codeNow)} saved`);
    },
    { ifGone: () => [formatRegion(codeNow), "wasn't saved"] },
  );
  const result = placeRegion(draft, listed, code);
  const faults: RegionFaults = shown.pick('faults' in result ? result.faults : {});
  const edit = (field: keyof RegionDraft, changes: Partial<RegionDraft>) => {
    setDraft({ ...draft, ...changes });
    shown.noteEdit(field);
  };
  const faultOf = (field: keyof RegionFaults) => {
    const fault = faults[field];
    return fault && describeFieldFault(fault);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    if ('regions' in result) {
      if (await save.run(result.regions)) onClose();
      return;
    }
    shown.noteAttempt();
    focusFirstFault(form);
  };

  // Without a domain, only this computer's URLs can be made.
  const canBeMade = serviceDomain !== undefined || isOwn || draft.isFromDomain;
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        <TextField
          label="Region"
          value={draft.code}
          onValue={(value) => edit('code', { code: value })}
          readOnly={isOwn || save.isPending}
          placeholder="jfk"
          hint={isOwn ? "This computer's region: change it in Settings." : 'The airport nearest to it.'}
          fault={faultOf('code')}
        />
        {canBeMade ? (
          <ChoiceGroup
            label="URLs"
            isDisabled={save.isPending}
            value={draft.isFromDomain ? 'made' : 'typed'}
            onValue={(value) => edit('isFromDomain', { isFromDomain: value === 'made' })}
            options={[
              {
                value: 'made',
                label: serviceDomain === undefined ? "This computer's own" : `Made from ${serviceDomain}`,
              },
              { value: 'typed', label: 'Its own URLs' },
            ]}
          />
        ) : null}
        {draft.isFromDomain
          ? null
          : urlFields.map(({ field, label, placeholder, hint }) => (
              <TextField
                key={field}
                label={label}
                value={draft[field]}
                onValue={(value) => edit(field, { [field]: value })}
                placeholder={placeholder}
                readOnly={save.isPending}
                hint={hint}
                fault={faultOf(field)}
                inputMode="url"
              />
            ))}
        <FailureNotice failure={save.failure} />
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" isPending={save.isPending}>
          Save
        </Button>
      </DialogFoot>
    </form>
  );
}
