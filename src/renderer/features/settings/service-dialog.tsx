import { type FormEvent, useRef, useState } from 'react';
import { isolateName } from '../../../shared/isolate-name.ts';
import type { RemoteServiceView } from '../../../shared/model/remote-service.ts';
import { trimPasted } from '../../../shared/trim-pasted.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogBody, DialogFoot } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { focusFirstFault } from '../../focus/first-fault.ts';
import { useAction } from '../../hooks/use-action.ts';
import { useGone } from '../../hooks/use-gone.ts';
import { useShownFaults } from '../../hooks/use-shown-faults.ts';
import { useToasts } from '../../hooks/use-toasts.ts';
import {
  draftOfService,
  findServiceChanges,
  findServiceFaults,
  placeServiceFailure,
  type ServiceDraft,
} from './service-draft.ts';

/** The service whose form is open. */
export type EditedService = { kind: 'new' } | { kind: 'known'; service: RemoteServiceView };

interface ServiceDialogProps {
  edited: EditedService | undefined;
  onClose: () => void;
}

/**
 * Adds a service, or changes its name, address and key. The service is checked before it is saved; nothing can be edited meanwhile, and
 * closing the dialog cancels that.
 */
export function ServiceDialog({ edited, onClose }: ServiceDialogProps) {
  const title = edited?.kind === 'known' ? `Edit ${isolateName(edited.service.name)}` : 'Add service';
  return (
    <Dialog isOpen={edited !== undefined} onClose={onClose} title={title}>
      {edited === undefined ? null : (
        <ServiceForm known={edited.kind === 'known' ? edited.service : undefined} onClose={onClose} />
      )}
    </Dialog>
  );
}

function ServiceForm({ known, onClose }: { known: RemoteServiceView | undefined; onClose: () => void }) {
  const toasts = useToasts();
  const [draft, setDraft] = useState(() => draftOfService(known));
  const shown = useShownFaults();
  const form = useRef<HTMLFormElement>(null);
  const gone = useGone();
  const save = useAction(async (client) => {
    const signal = gone();
    if (known === undefined) {
      await client.remoteService.add({ ...draft, apiKey: trimPasted(draft.apiKey) }, { signal });
    } else {
      await client.remoteService.update({ serviceId: known.id, changes: findServiceChanges(draft, known) }, { signal });
    }
    toasts.say(`${isolateName(draft.name.trim())} ${known === undefined ? 'added' : 'saved'}`);
    onClose();
  });
  const faults = findServiceFaults(draft, known !== undefined);
  const refused = save.failure && placeServiceFailure(save.failure);
  const seen = shown.pick(faults);
  const faultOf = (field: keyof ServiceDraft) => seen[field] ?? (refused?.field === field ? refused.sentence : undefined);
  const edit = (field: keyof ServiceDraft) => (value: string) => {
    setDraft({ ...draft, [field]: value });
    shown.noteEdit(field);
    save.clear();
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    shown.noteAttempt();
    if (Object.keys(faults).length > 0 || !(await save.run())) focusFirstFault(form);
  };

  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        <TextField
          label="Name"
          readOnly={save.isPending}
          value={draft.name}
          onValue={edit('name')}
          placeholder="Studio server"
          fault={faultOf('name')}
        />
        <TextField
          label="API address"
          readOnly={save.isPending}
          value={draft.baseUrl}
          onValue={edit('baseUrl')}
          placeholder="https://live.example.com/api"
          hint="In another Tallylight, find it under Settings → API keys."
          fault={faultOf('baseUrl')}
          inputMode="url"
        />
        <TextField
          label="API key"
          readOnly={save.isPending}
          type="password"
          value={draft.apiKey}
          onValue={edit('apiKey')}
          hint={
            known === undefined
              ? 'Create one there, too. It is stored encrypted, and not shown again.'
              : 'Leave empty to keep the key.'
          }
          fault={faultOf('apiKey')}
        />
        <FailureNotice failure={refused === undefined ? save.failure : undefined} />
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" isPending={save.isPending}>
          {known === undefined ? 'Check and add' : 'Save'}
        </Button>
      </DialogFoot>
    </form>
  );
}
