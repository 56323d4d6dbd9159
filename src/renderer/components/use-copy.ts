import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';
import { useToasts } from './toasts.tsx';

/** How long it is said after copying, in milliseconds. */
const tickMs = 2_000;

/** Copies the real value, fetched when it is a secret, and says so. `what` names it: "Ingest URL". */
export function useCopy(what: string, read: () => string | Promise<string>): { isCopied: boolean; copy: () => void } {
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
      else toasts.warn(`${what} could not be copied: this browser does not allow it. Select the text and copy it by hand.`);
    } catch {
      toasts.warn(`${what} could not be copied: the service cannot be reached.`);
    }
  };
  return { isCopied, copy: () => void copy() };
}
