import type { ApiKey } from '../../../shared/model/api-key.ts';
import type { Failure } from '../../client/failure.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';

interface RevokeKeyDialogProps {
  apiKey: ApiKey | undefined;
  isPending: boolean;
  failure: Failure | undefined;
  onConfirm: (key: ApiKey) => void;
  onClose: () => void;
}

/** Asks before an API key is revoked. */
export function RevokeKeyDialog({ apiKey, isPending, failure, onConfirm, onClose }: RevokeKeyDialogProps) {
  return (
    <ConfirmDialog
      isOpen={apiKey !== undefined}
      onClose={onClose}
      title={`Revoke ${apiKey?.name ?? ''}?`}
      description="The program using this key will be refused. Streams it created stay. You can't restore a revoked key, only create a new one."
      confirm="Revoke key"
      isPending={isPending}
      removesOpener
      onConfirm={() => {
        if (apiKey !== undefined) onConfirm(apiKey);
      }}
    >
      <FailureNotice failure={failure} />
    </ConfirmDialog>
  );
}
