import { Eye, EyeOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { readFailure } from '../client/failure.ts';
import { lowerFirst } from '../format/lower-first.ts';
import { useLatest } from '../hooks/use-latest.ts';
import { useToasts } from '../hooks/use-toasts.ts';
import { CopyField } from './copy-field.tsx';
import { IconButton } from './icon-button.tsx';

/** How long a revealed secret stays visible, in milliseconds. */
const revealedMs = 15_000;

interface SecretFieldProps {
  label: 'Stream key' | 'API key';
  /** Shown in place of the secret. */
  mask: string;
  read: () => Promise<string>;
  onCopied?: () => void;
}

/** A secret: masked, revealed for a short while on request, and copied without being shown. */
export function SecretField({ label, mask, read, onCopied }: SecretFieldProps) {
  const { revealed, toggle } = useRevealed(label, read);
  const what = lowerFirst(label);
  return (
    <CopyField label={label} shown={revealed ?? mask} read={read} onCopied={onCopied}>
      <IconButton
        label={revealed === undefined ? `Reveal ${what}` : `Hide ${what}`}
        icon={revealed === undefined ? <Eye aria-hidden /> : <EyeOff aria-hidden />}
        onClick={toggle}
      />
    </CopyField>
  );
}

/** The secret while it is wanted: until the next press, for a short while, and only while the window has the focus. */
function useRevealed(
  label: SecretFieldProps['label'],
  read: SecretFieldProps['read'],
): { revealed: string | undefined; toggle: () => void } {
  const newestRead = useLatest(read);
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
    const reveal = async () => {
      const secret = await newestRead.current();
      // It was hidden again before it arrived.
      if (over.signal.aborted) return;
      setRevealed(secret);
      timer = setTimeout(hide, revealedMs);
    };
    reveal().catch((error: unknown) => {
      if (over.signal.aborted) return;
      hide();
      toasts.current.warn(`Couldn't read the ${lowerFirst(label)}. ${readFailure(error).sentence}`);
    });
    return () => {
      over.abort();
      clearTimeout(timer);
      setRevealed(undefined);
    };
  }, [isWanted, newestRead, label, toasts]);
  return { revealed, toggle: () => setWanted(!isWanted) };
}
