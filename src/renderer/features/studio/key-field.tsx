import { Eye, EyeOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { CopyField } from '../../components/copy-field.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { useStore } from '../../store/store-context.tsx';

/** How long a revealed key stays visible, in milliseconds. */
const revealedMs = 15_000;

const mask = '••••-••••-••••-••••';

/** The stream key: masked, revealed for a short while on request, and copied without being shown. */
export function KeyField({ streamId }: { streamId: string }) {
  const { connection } = useStore();
  const toasts = useToasts();
  const [revealed, setRevealed] = useState<string>();
  const reveal = useAction(async (client) => {
    const { streamKey } = await client.stream.revealKey({ streamId });
    setRevealed(streamKey);
  });

  useEffect(() => {
    if (revealed === undefined) return;
    const hide = () => setRevealed(undefined);
    const timer = setTimeout(hide, revealedMs);
    window.addEventListener('blur', hide);
    document.addEventListener('visibilitychange', hide);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('blur', hide);
      document.removeEventListener('visibilitychange', hide);
    };
  }, [revealed]);

  const toggle = async () => {
    if (revealed !== undefined) return setRevealed(undefined);
    if (!(await reveal.run())) toasts.warn("Couldn't read the stream key.");
  };

  return (
    <CopyField
      label="Stream key"
      shown={revealed ?? mask}
      read={async () => (await connection.client.stream.revealKey({ streamId })).streamKey}
    >
      <IconButton
        label={revealed === undefined ? 'Reveal stream key' : 'Hide stream key'}
        icon={revealed === undefined ? <Eye aria-hidden /> : <EyeOff aria-hidden />}
        aria-pressed={revealed !== undefined}
        onClick={() => void toggle()}
      />
    </CopyField>
  );
}
