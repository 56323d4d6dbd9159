import { isolateName } from '../../../shared/isolate-name.ts';
import type { StreamView } from '../../../shared/model/views.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { Action } from '../../hooks/use-action.ts';
import { mayHaveViewers } from '../../status/air-status.ts';

/** Whether suspending the stream takes something from viewers. */
export function asksToSuspend({ air }: StreamView): boolean {
  return mayHaveViewers(air);
}

interface SuspendStreamProps {
  stream: StreamView | undefined;
  suspend: Action<[stream: StreamView, isSuspended: boolean]>;
  onClose: () => void;
}

/** Asks before a stream that is on air is suspended. */
export function SuspendStreamDialog({ stream, suspend, onClose }: SuspendStreamProps) {
  return (
    <ConfirmDialog
      isOpen={stream !== undefined}
      onClose={onClose}
      title={`Suspend ${isolateName(stream?.name ?? '')}?`}
      description="The broadcast ends for viewers, and every encoder is refused until you resume the stream."
      confirm="Suspend stream"
      onConfirm={() => {
        if (stream !== undefined) void suspend.run(stream, true);
        onClose();
      }}
    />
  );
}
