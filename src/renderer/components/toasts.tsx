import { Toast } from '@base-ui/react/toast';
import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { type Toasts, ToastsContext } from '../hooks/use-toasts.ts';
import { IconButton } from './icon-button.tsx';
import styles from './toasts.module.css';

/** Shows toasts in the corner, above its children. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [manager] = useState(() => Toast.createToastManager());
  const toasts = useMemo(
    (): Toasts => ({
      say: (sentence) => void manager.add({ title: sentence, timeout: 3_500 }),
      warn: (sentence) => void manager.add({ title: sentence, type: 'warn', priority: 'high', timeout: 8_000 }),
    }),
    [manager],
  );
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <ToastsContext value={toasts}>{children}</ToastsContext>
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
