import { isolateName } from '../../../shared/isolate-name.ts';
import type { StreamView } from '../../../shared/model/views.ts';
import { ConfirmAction } from '../../components/confirm-action.tsx';
import { Notice } from '../../components/notice.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { useToasts } from '../../hooks/use-toasts.ts';
import { titleRunning } from '../../status/running-title.ts';

/** Asks before a stream is deleted, naming it and what is lost with it. */
export function DeleteStreamDialog({ stream, onClose }: { stream: StreamView | undefined; onClose: () => void }) {
  const toasts = useToasts();
  const remove = useAction(
    async (client, { id, name }: StreamView) => {
      await client.stream.delete({ streamId: id });
      toasts.say(`${isolateName(name)} deleted`);
    },
    { about: stream?.id, ifGone: ({ name }) => [name, "wasn't deleted"] },
  );
  const running = stream && titleRunning(stream);
  return (
    <ConfirmAction
      subject={stream}
      action={remove}
      onClose={onClose}
      title={`Delete ${isolateName(stream?.name ?? '')}?`}
      description="Its stream key, playback URL and list of broadcasts are deleted for good. Encoders using the key will be refused."
      confirm="Delete stream"
      removesOpener
    >
      {running === undefined ? null : (
        <Notice severity="warn" title={running}>
          Deleting it ends the broadcast for everyone watching.
        </Notice>
      )}
    </ConfirmAction>
  );
}
