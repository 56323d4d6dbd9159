import { isolateName } from '../../../shared/isolate-name.ts';
import type { RemoteServiceView } from '../../../shared/model/remote-service.ts';
import { ConfirmAction } from '../../components/confirm-action.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { useToasts } from '../../hooks/use-toasts.ts';

/** Asks before a remote service is forgotten. */
export function RemoveServiceDialog({ service, onClose }: { service: RemoteServiceView | undefined; onClose: () => void }) {
  const toasts = useToasts();
  const remove = useAction(
    async (client, { id, name }: RemoteServiceView) => {
      await client.remoteService.remove({ serviceId: id });
      toasts.say(`${isolateName(name)} removed`);
    },
    { about: service?.id, ifGone: ({ name }) => [name, "wasn't removed"] },
  );
  return (
    <ConfirmAction
      subject={service}
      action={remove}
      onClose={onClose}
      title={`Remove ${isolateName(service?.name ?? '')}?`}
      description="Its streams stay there, and broadcasts from other programs continue. Its API key is deleted here."
      confirm="Remove service"
      removesOpener
    />
  );
}
