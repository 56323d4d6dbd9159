import { Check, Copy } from 'lucide-react';
import { lowerFirst } from '../format/lower-first.ts';
import { IconButton } from './icon-button.tsx';
import { useCopy } from './use-copy.ts';

/** Copies the real value, fetching it if it is a secret, and reports the result. `what` names it, such as "Ingest URL". */
export function CopyButton({ what, read }: { what: string; read: () => string | Promise<string> }) {
  const { isCopied, copy } = useCopy(what, read);
  return (
    <IconButton
      label={isCopied ? 'Copied' : `Copy ${lowerFirst(what)}`}
      icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      data-copied={isCopied || undefined}
      onClick={copy}
    />
  );
}
