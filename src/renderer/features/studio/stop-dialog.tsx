import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { Broadcast } from './use-broadcast.ts';

/** Asks before Stop ends what viewers watch, whoever feeds it. */
export function StopDialog({ streamName, broadcast }: { streamName: string; broadcast: Broadcast }) {
  return (
    <ConfirmDialog
      isOpen={broadcast.isAskingToStop}
      onClose={broadcast.cancelStop}
      title={`Stop ${streamName}?`}
      description="The broadcast ends for viewers. Its encoder is refused until you go live or let it in."
      confirm="Stop the broadcast"
      onConfirm={() => void broadcast.stopNow.run()}
    />
  );
}
