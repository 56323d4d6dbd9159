import type { NewStream } from '../../../shared/model/stream.ts';
import { Dialog } from '../../components/dialog.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { goTo } from '../../hooks/use-route.ts';
import { emptyDraft } from './stream-draft.ts';
import { StreamForm } from './stream-form.tsx';

/** Creates a stream and opens its Studio. */
export function NewStreamDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const toasts = useToasts();
  const create = useAction(async (client, stream: Required<NewStream>) => {
    const { name, profiles } = stream;
    const made = await client.stream.create(profiles.length === 0 ? { name } : { name, profiles });
    toasts.say(`${made.name} created`);
    goTo({ kind: 'studio', streamId: made.id });
  });
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New stream" width="wide">
      <StreamForm
        initial={emptyDraft}
        submit="Create"
        isPending={create.isPending}
        failure={create.failure}
        onSubmit={(stream) => void create.run(stream)}
        onCancel={onClose}
      />
    </Dialog>
  );
}
