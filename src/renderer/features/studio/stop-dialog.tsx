import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { Broadcast } from './use-broadcast.ts';

/** Asks before Stop ends what another program feeds. */
export function StopDialog({ streamName, broadcast }: { streamName: string; broadcast: Broadcast }) {
  return (
    <ConfirmDialog
      isOpen={broadcast.isAskingToStop}
      onClose={broadcast.cancelStop}
      title={`Stop ${streamName}?`}
      description="Another program feeds this stream. Stopping here ends the broadcast for viewers and refuses that program for a few seconds; stop it there too, or it comes back."
      confirm="Stop the broadcast"
      onConfirm={() => void broadcast.stopNow.run()}
    />
  );
}
