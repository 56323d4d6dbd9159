import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { HeldNavigation } from '../../hooks/use-unsaved-guard.ts';

/** Asks before edits are lost. */
export function LeaveDialog({ leaving, onDiscard }: { leaving: HeldNavigation; onDiscard: () => void }) {
  return (
    <ConfirmDialog
      isOpen={leaving.isAsking}
      onClose={leaving.stay}
      title="Leave without saving?"
      description="Your changes aren't saved yet."
      confirm="Discard changes"
      onConfirm={() => {
        onDiscard();
        leaving.leave();
      }}
    />
  );
}
