import { useEffect, useState } from 'react';
import { readFailure } from '../client/failure.ts';
import { useToasts } from '../hooks/use-toasts.ts';
import { copyText } from './copy-text.ts';

/** How long "copied" shows, in milliseconds. */
const tickMs = 2_000;

const selectIt = 'Select the text and copy it yourself.';
const revealIt = 'Reveal it, then select and copy it.';

/** Counts presses of all copy buttons: a value that arrives late must not replace a newer copy. */
let presses = 0;

/**
 * Copies the real value, fetching it if it is a secret, and reports the result. `what` names it, such as "Ingest URL".
 *
 * @param onCopied called each time it has been copied
 */
export function useCopy(
  what: string,
  read: () => string | Promise<string>,
  onCopied?: () => void,
): { isCopied: boolean; copy: () => void } {
  const toasts = useToasts();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), tickMs);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async () => {
    presses += 1;
    const press = presses;
    const isNewest = () => press === presses;
    const unlessLate = (text: string) => (isNewest() ? text : Promise.reject(new Error('Something else was copied after it.')));
    try {
      const text = read();
      const isShown = typeof text === 'string';
      const isDone = await copyText(isShown ? text : text.then(unlessLate));
      setCopied(isDone);
      if (isDone) {
        toasts.say(`${what} copied`);
        onCopied?.();
      } else toasts.warn(`${what} not copied: this browser doesn't allow it. ${isShown ? selectIt : revealIt}`);
    } catch (error) {
      if (isNewest()) toasts.warn(`${what} not copied. ${readFailure(error).sentence}`);
    }
  };
  return { isCopied, copy: () => void copy() };
}
