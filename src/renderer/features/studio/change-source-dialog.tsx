import { Replace } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Source } from '../../../shared/model/source.ts';
import { hasSameContent } from '../../../shared/same-content.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogBody, DialogFoot } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { fromSource, type Missing, toSource } from './source-draft.ts';
import { SourcePanel } from './source-panel.tsx';

interface ChangeSourceProps {
  streamId: string;
  source: Source;
}

/** Changes the source on air: viewers see the new one without an interruption. */
export function ChangeSource({ streamId, source }: ChangeSourceProps) {
  const [isOpen, setOpen] = useState(false);
  const [opening, setOpening] = useState(() => ({ id: 0, closing: new AbortController() }));
  const open = () => {
    setOpening({ id: opening.id + 1, closing: new AbortController() });
    setOpen(true);
  };
  // Once the dialog is closed or left, it changes nothing.
  const close = () => {
    opening.closing.abort();
    setOpen(false);
  };
  useEffect(() => () => opening.closing.abort(), [opening]);
  return (
    <>
      <Button icon={<Replace aria-hidden />} onClick={open}>
        Change source
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title="Change source"
        description="Viewers keep the current source until you use this one."
        width="full"
      >
        <ChangeForm key={opening.id} streamId={streamId} source={source} signal={opening.closing.signal} onDone={close} />
      </Dialog>
    </>
  );
}

interface ChangeFormProps extends ChangeSourceProps {
  /** Aborts when the dialog is closed. */
  signal: AbortSignal;
  onDone: () => void;
}

function ChangeForm({ streamId, source, signal, onDone }: ChangeFormProps) {
  const [draft, setDraft] = useState(() => fromSource(source));
  const [missing, setMissing] = useState<Missing>();
  const fileInput = useRef<HTMLInputElement>(null);
  const latest = useRef(draft);
  const change = useAction(async (client, next: Source) => {
    try {
      await client.broadcast.changeSource({ streamId, source: next }, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  });
  const submit = async () => {
    const parsed = toSource(draft);
    setMissing('fault' in parsed ? parsed : undefined);
    if (!('source' in parsed) || !(await change.run(parsed.source)) || signal.aborted) return;
    // Changes made meanwhile aren't on air yet.
    if (hasSameContent(toSource(latest.current), parsed)) onDone();
  };
  return (
    <>
      <DialogBody>
        <SourcePanel
          draft={draft}
          onDraft={(next) => {
            latest.current = next;
            setDraft(next);
            setMissing(undefined);
            change.clear();
          }}
          missing={missing}
          fileInput={fileInput}
        />
        <FailureNotice failure={change.failure} />
      </DialogBody>
      <DialogFoot>
        <Button onClick={onDone}>Cancel</Button>
        <Button kind="primary" isPending={change.isPending} onClick={() => void submit()}>
          Use this source
        </Button>
      </DialogFoot>
    </>
  );
}
