import { useStore } from '../store/store-context.tsx';
import { SecretField } from './secret-field.tsx';

/** A stream's key, read from the service only while it is revealed or copied. */
export function KeyField({ streamId }: { streamId: string }) {
  const { connection } = useStore();
  return (
    <SecretField
      key={streamId}
      label="Stream key"
      mask="••••-••••-••••-••••"
      read={async () => (await connection.client.stream.revealKey({ streamId })).streamKey}
    />
  );
}
