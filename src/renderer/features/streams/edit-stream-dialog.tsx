import { useState } from 'react';
import { isolateName } from '../../../shared/isolate-name.ts';
import type { NewStream } from '../../../shared/model/stream.ts';
import type { StreamView } from '../../../shared/model/views.ts';
import { Dialog } from '../../components/dialog.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { useToasts } from '../../hooks/use-toasts.ts';
import { draftOf, findChanges } from './stream-draft.ts';
import { StreamForm } from './stream-form.tsx';

/** Renames a stream and changes its renditions, sending only changes. */
export function EditStreamDialog({ stream, onClose }: { stream: StreamView | undefined; onClose: () => void }) {
  return (
    <Dialog isOpen={stream !== undefined} onClose={onClose} title="Edit stream" width="wide">
      {stream === undefined ? null : <EditStreamForm key={stream.id} stream={stream} onClose={onClose} />}
    </Dialog>
  );
}

function EditStreamForm({ stream, onClose }: { stream: StreamView; onClose: () => void }) {
  const toasts = useToasts();
  // Fields that weren't edited here don't undo what another page or program changed meanwhile.
  const [opened] = useState(stream);
  const update = useAction(
    async (client, wanted: Required<NewStream>) => {
      const changes = findChanges(opened, wanted);
      if (Object.keys(changes).length === 0) return;
      await client.stream.update({ streamId: stream.id, changes });
      toasts.say(`${isolateName(wanted.name)} saved`);
    },
    { ifGone: () => [opened.name, "wasn't saved"] },
  );
  return (
    <StreamForm
      initial={draftOf(opened)}
      submit="Save"
      isPending={update.isPending}
      failure={update.failure}
      isLadderLocked={stream.air.kind !== 'off-air'}
      onSubmit={async (wanted) => {
        if (await update.run(wanted)) onClose();
      }}
      onCancel={onClose}
    />
  );
}
