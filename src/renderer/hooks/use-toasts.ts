import { createContext, use } from 'react';

/** Confirms what the user just did. Problems of a stream are shown where they belong. */
export interface Toasts {
  say(sentence: string): void;
  warn(sentence: string): void;
}

export const ToastsContext = createContext<Toasts | undefined>(undefined);

/** The toasts of the app. A component that only adds them isn't rendered again with each. */
export function useToasts(): Toasts {
  const toasts = use(ToastsContext);
  if (toasts === undefined) throw new Error('useToasts is called outside ToastProvider');
  return toasts;
}
