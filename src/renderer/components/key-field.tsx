import { Eye, EyeOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { readFailure } from '../client/failure.ts';
import { useLatest } from '../hooks/use-latest.ts';
import { useToasts } from '../hooks/use-toasts.ts';
import { useStore } from '../store/store-context.tsx';
import { CopyField } from './copy-field.tsx';
import { IconButton } from './icon-button.tsx';

/** How long a revealed key stays visible, in milliseconds. */
const revealedMs = 15_000;

const mask = '••••-••••-••••-••••';

/** The stream key: masked, revealed for a short while on request, and copied without being shown. */
export function KeyField({ streamId }: { streamId: string }) {
  const { connection } = useStore();
  const { revealed, toggle } = useRevealedKey(streamId);
  return (
    <CopyField
      label="Stream key"
      shown={revealed ?? mask}
      read={async () => (await connection.client.stream.revealKey({ streamId })).streamKey}
    >
      <IconButton
        label={revealed === undefined ? 'Reveal stream key' : 'Hide stream key'}
        icon={revealed === undefined ? <Eye aria-hidden /> : <EyeOff aria-hidden />}
        onClick={toggle}
      />
    </CopyField>
  );
}

/** The key while it is wanted: until the next press, for a short while, and only while the window has the focus. */
function useRevealedKey(streamId: string): { revealed: string | undefined; toggle: () => void } {
  const { connection } = useStore();
  const toasts = useLatest(useToasts());
  const [isWanted, setWanted] = useState(false);
  const [revealed, setRevealed] = useState<string>();
  useEffect(() => {
    if (!isWanted) return;
    const over = new AbortController();
    const hide = () => setWanted(false);
    // `visibilitychange` also fires when the window comes into view.
    const hideUnseen = () => document.hidden && hide();
    window.addEventListener('blur', hide, { signal: over.signal });
    document.addEventListener('visibilitychange', hideUnseen, { signal: over.signal });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      const { streamKey } = await connection.client.stream.revealKey({ streamId });
      // The key was hidden again before it arrived.
      if (over.signal.aborted) return;
      setRevealed(streamKey);
      timer = setTimeout(hide, revealedMs);
    };
    read().catch((error: unknown) => {
      if (over.signal.aborted) return;
      hide();
      toasts.current.warn(`Couldn't read the stream key. ${readFailure(error).sentence}`);
    });
    return () => {
      over.abort();
      clearTimeout(timer);
      setRevealed(undefined);
    };
  }, [isWanted, connection, streamId, toasts]);
  return { revealed, toggle: () => setWanted(!isWanted) };
}
