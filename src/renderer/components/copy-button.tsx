import { Check, Copy } from 'lucide-react';
import { lowerFirst } from '../format/lower-first.ts';
import { IconButton } from './icon-button.tsx';
import { useCopy } from './use-copy.ts';

interface CopyButtonProps {
  /** The value's name, such as "Ingest URL". */
  what: string;
  read: () => string | Promise<string>;
  onCopied?: (() => void) | undefined;
}

/** Copies the real value, fetching it if it is a secret, and reports the result. */
export function CopyButton({ what, read, onCopied }: CopyButtonProps) {
  const { isCopied, copy } = useCopy(what, read, onCopied);
  return (
    <IconButton
      label={isCopied ? 'Copied' : `Copy ${lowerFirst(what)}`}
      icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      data-copied={isCopied || undefined}
      onClick={copy}
    />
  );
}
