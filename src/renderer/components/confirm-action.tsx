import type { ComponentProps } from 'react';
import type { Action } from '../hooks/use-action.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { FailureNotice } from './failure-notice.tsx';

interface ConfirmActionProps<Subject> extends Omit<ComponentProps<typeof ConfirmDialog>, 'isOpen' | 'isPending' | 'onConfirm'> {
  /** What the question is about; closed without one. */
  subject: Subject | undefined;
  action: Action<[Subject]>;
}

/** Asks before an action that takes something away, and says why it failed. Calls `onClose` once it has succeeded. */
export function ConfirmAction<Subject>({ subject, action, children, ...asked }: ConfirmActionProps<Subject>) {
  return (
    <ConfirmDialog
      {...asked}
      isOpen={subject !== undefined}
      isPending={action.isPending}
      onConfirm={async () => {
        if (subject !== undefined && (await action.run(subject))) asked.onClose();
      }}
    >
      {children}
      <FailureNotice failure={action.failure} />
    </ConfirmDialog>
  );
}
