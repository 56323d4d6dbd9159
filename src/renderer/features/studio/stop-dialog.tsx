import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { Broadcast } from './use-broadcast.ts';

/** Asks before Stop ends what another program feeds. */
export function StopDialog({ streamName, broadcast }: { streamName: string; broadcast: Broadcast }) {
  return (
    <ConfirmDialog
      isOpen={broadcast.isAskingToStop}
      onClose={broadcast.cancelStop}
      title={`Stop ${streamName}?`}
      description="Another program feeds this stream. Stopping here ends the broadcast for viewers; stop the other program too, or it starts a new one."
      confirm="Stop the broadcast"
      onConfirm={() => void broadcast.stopNow.run()}
    />
  );
}
