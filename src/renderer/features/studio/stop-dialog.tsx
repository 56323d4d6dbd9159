import { isolateName } from '../../../shared/isolate-name.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { Broadcast } from './use-broadcast.ts';

interface StopDialogProps {
  streamName: string;
  /** Whether it is sent from here rather than by another encoder. */
  isOwn: boolean;
  /** The remote service that the stream is on. */
  service: string | undefined;
  broadcast: Broadcast;
}

/** Asks before Stop ends what viewers watch, whatever its source. Afterwards Go live takes the place of Stop, so the focus leaves it. */
export function StopDialog({ streamName, isOwn, service, broadcast }: StopDialogProps) {
  const description = isOwn ? 'The broadcast ends for viewers.' : `The broadcast ends for viewers. ${whatFollows(service)}`;
  return (
    <ConfirmDialog
      isOpen={broadcast.isAskingToStop}
      onClose={broadcast.cancelStop}
      title={`Stop ${isolateName(streamName)}?`}
      description={description}
      confirm="Stop the broadcast"
      isPending={broadcast.stopNow.isPending}
      removesOpener
      onConfirm={() => void broadcast.stopNow.run()}
    />
  );
}

/** What happens to its encoder then. */
function whatFollows(service: string | undefined): string {
  return service === undefined
    ? 'Its encoder is refused until you allow it again, or until it has stopped trying for a while.'
    : `${service} lets its encoder connect again: stop the encoder, too.`;
}
