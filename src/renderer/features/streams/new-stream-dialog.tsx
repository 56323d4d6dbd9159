import type { RemoteServiceView } from '../../../shared/model/remote-service.ts';
import type { NewStream } from '../../../shared/model/stream.ts';
import { Dialog } from '../../components/dialog.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { goTo } from '../../hooks/use-route.ts';
import { emptyDraft } from './stream-draft.ts';
import { StreamForm } from './stream-form.tsx';

interface NewStreamDialogProps {
  isOpen: boolean;
  /** The remote service that it is created on; undefined for this computer. */
  serviceId: string | undefined;
  /** That service, once it is known. */
  service: RemoteServiceView | undefined;
  onClose: () => void;
}

/** Creates a stream and opens its Studio. */
export function NewStreamDialog({ isOpen, serviceId, service, onClose }: NewStreamDialogProps) {
  const toasts = useToasts();
  const create = useAction(async (client, stream: Required<NewStream>) => {
    const { name, profiles } = stream;
    const made = await client.stream.create({
      name,
      ...(profiles.length > 0 && { profiles }),
      ...(serviceId !== undefined && { serviceId }),
    });
    toasts.say(`${made.name} created`);
    goTo({ kind: 'studio', streamId: made.id });
  });
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="New stream"
      {...(service !== undefined && { description: `It is created on ${service.name}.` })}
      width="wide"
    >
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
