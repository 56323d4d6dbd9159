import { isolateName } from '../../../shared/isolate-name.ts';
import type { ApiKey } from '../../../shared/model/api-key.ts';
import { ConfirmAction } from '../../components/confirm-action.tsx';
import type { Action } from '../../hooks/use-action.ts';

interface RevokeKeyDialogProps {
  apiKey: ApiKey | undefined;
  revoke: Action<[ApiKey]>;
  onClose: () => void;
}

/** Asks before an API key is revoked. */
export function RevokeKeyDialog({ apiKey, revoke, onClose }: RevokeKeyDialogProps) {
  return (
    <ConfirmAction
      subject={apiKey}
      action={revoke}
      onClose={onClose}
      title={`Revoke ${isolateName(apiKey?.name ?? '')}?`}
      description="The program using this key will be refused. Streams it created stay. You can't restore a revoked key, only create a new one."
      confirm="Revoke key"
      removesOpener
    />
  );
}
