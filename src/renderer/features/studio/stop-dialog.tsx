import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { Broadcast } from './use-broadcast.ts';

interface StopDialogProps {
  streamName: string;
  /** Whether it is sent from here rather than by another encoder. */
  isOwn: boolean;
  broadcast: Broadcast;
}

/** Asks before Stop ends what viewers watch, whatever its source. */
export function StopDialog({ streamName, isOwn, broadcast }: StopDialogProps) {
  return (
    <ConfirmDialog
      isOpen={broadcast.isAskingToStop}
      onClose={broadcast.cancelStop}
      title={`Stop ${streamName}?`}
      description={`The broadcast ends for viewers.${isOwn ? '' : ' Its encoder is refused until you go live or allow it.'}`}
      confirm="Stop the broadcast"
      onConfirm={() => void broadcast.stopNow.run()}
    />
  );
}
