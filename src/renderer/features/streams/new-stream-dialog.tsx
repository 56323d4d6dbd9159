import { isolateName } from '../../../shared/isolate-name.ts';
import type { RemoteServiceView } from '../../../shared/model/remote-service.ts';
import type { NewStream } from '../../../shared/model/stream.ts';
import { Dialog } from '../../components/dialog.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { useGone } from '../../hooks/use-gone.ts';
import { goTo } from '../../hooks/use-route.ts';
import { useToasts } from '../../hooks/use-toasts.ts';
import { emptyDraft } from './stream-draft.ts';
import { StreamForm } from './stream-form.tsx';
import { lookForStream } from './unanswered-create.ts';

interface NewStreamDialogProps {
  isOpen: boolean;
  /** The remote service that it is created on; undefined for this computer. */
  serviceId: string | undefined;
  /** That service, once it is known. */
  service: RemoteServiceView | undefined;
  onClose: () => void;
}

/** Creates a stream and opens its Studio, unless the dialog was closed while the service took its time. */
export function NewStreamDialog({ isOpen, serviceId, service, onClose }: NewStreamDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="New stream"
      description={service && `It is created on ${isolateName(service.name)}.`}
      width="wide"
    >
      {isOpen ? <NewStreamForm serviceId={serviceId} onClose={onClose} /> : null}
    </Dialog>
  );
}

function NewStreamForm({ serviceId, onClose }: Pick<NewStreamDialogProps, 'serviceId' | 'onClose'>) {
  const toasts = useToasts();
  const gone = useGone();
  const create = useAction(
    async (client, { profiles, ...others }: Required<NewStream>) => {
      const signal = gone();
      const made = await client.stream.create({
        ...others,
        ...(profiles.length > 0 && { profiles }),
        ...(serviceId !== undefined && { serviceId }),
      });
      toasts.say(`${isolateName(made.name)} created`);
      if (!signal.aborted) goTo({ kind: 'studio', streamId: made.id });
    },
    { ifGone: ({ name }) => [name, "wasn't created"], ifUnanswered: lookForStream },
  );
  return (
    <StreamForm
      initial={emptyDraft}
      submit="Create"
      isPending={create.isPending}
      failure={create.failure}
      onSubmit={(stream) => void create.run(stream)}
      onCancel={onClose}
    />
  );
}
