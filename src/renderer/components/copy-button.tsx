import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';
import { IconButton } from './icon-button.tsx';
import { useToasts } from './toasts.tsx';

/** How long the tick stays after copying, in milliseconds. */
const tickMs = 2_000;

/** Copies the real value, fetched when it is a secret, and says so. `what` names it: "Ingest URL". */
export function CopyButton({ what, read }: { what: string; read: () => string | Promise<string> }) {
  const toasts = useToasts();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), tickMs);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async () => {
    try {
      const isDone = await copyText(await read());
      setCopied(isDone);
      if (isDone) toasts.say(`${what} copied`);
      else toasts.warn(`${what} could not be copied: this browser refuses it. Select the text and copy it by hand.`);
    } catch {
      toasts.warn(`${what} could not be copied: the service cannot be reached.`);
    }
  };

  return (
    <IconButton
      label={isCopied ? 'Copied' : `Copy ${lowerFirst(what)}`}
      icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      data-copied={isCopied || undefined}
      onClick={() => void copy()}
    />
  );
}

/** "Stream key" → "stream key"; names that begin with capitals, like "API key", stay. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text[0]?.toLowerCase() + text.slice(1) : text;
}
