import { Toast } from '@base-ui/react/toast';
import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import styles from './toasts.module.css';

/** Confirms what the user just did. Problems of a stream are shown where they belong. */
export interface Toasts {
  say(sentence: string): void;
  warn(sentence: string): void;
}

/** The toasts of the app. */
export function useToasts(): Toasts {
  const { add } = Toast.useToastManager();
  return {
    say: (sentence) => void add({ title: sentence, timeout: 3_500 }),
    warn: (sentence) => void add({ title: sentence, type: 'warn', priority: 'high', timeout: 8_000 }),
  };
}

/** Shows toasts in the corner, above its children. */
export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport} aria-label="Messages">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast} swipeDirection="right">
      <Toast.Content className={styles.content}>
        {toast.type === 'warn' ? (
          <TriangleAlert className={styles.warn} aria-hidden size={16} />
        ) : (
          <CircleCheck className={styles.good} aria-hidden size={16} />
        )}
        <Toast.Title className={styles.title} />
        <Toast.Close render={<IconButton label="Dismiss" icon={<X aria-hidden />} />} />
      </Toast.Content>
    </Toast.Root>
  ));
}
