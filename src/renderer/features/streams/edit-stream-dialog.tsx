import type { NewStream, StreamChanges } from '../../../shared/model/stream.ts';
import type { StreamView } from '../../../shared/model/views.ts';
import { Dialog } from '../../components/dialog.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { draftOf } from './stream-draft.ts';
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
  const update = useAction(async (client, wanted: Required<NewStream>) => {
    const changes = findChanges(stream, wanted);
    if (Object.keys(changes).length > 0) {
      await client.stream.update({ streamId: stream.id, changes });
      toasts.say(`${wanted.name} saved`);
    }
    onClose();
  });
  return (
    <StreamForm
      initial={draftOf(stream)}
      submit="Save"
      isPending={update.isPending}
      failure={update.failure}
      isLadderLocked={stream.air.kind !== 'off-air'}
      onSubmit={(wanted) => void update.run(wanted)}
      onCancel={onClose}
    />
  );
}

function findChanges(stream: StreamView, wanted: Required<NewStream>): StreamChanges {
  const areSame = JSON.stringify(stream.profiles ?? []) === JSON.stringify(wanted.profiles);
  return { ...(stream.name !== wanted.name && { name: wanted.name }), ...(!areSame && { profiles: wanted.profiles }) };
}
