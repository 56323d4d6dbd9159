import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { usePageInSight } from '../hooks/use-page-in-sight.ts';
import styles from './dialog.module.css';
import { IconButton } from './icon-button.tsx';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** Maximum width. */
  width?: 'normal' | 'wide' | 'full';
}

/** A dialog over the page. Escape and the cross close it, and the focus returns to where it was. */
export function Dialog({ isOpen, onClose, title, description, children, width = 'normal' }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  usePageInSight(isOpen);
  return (
    <BaseDialog.Root
      open={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Popup
          ref={popup}
          className={styles.popup}
          data-modal
          data-width={width}
          initialFocus={() => findFirstInput(popup.current) ?? true}
        >
          <div className={styles.head}>
            <BaseDialog.Title className={styles.title}>{title}</BaseDialog.Title>
            <BaseDialog.Close render={<IconButton label="Close" icon={<X aria-hidden />} hasTip={false} />} />
          </div>
          {description === undefined ? null : (
            <BaseDialog.Description className={styles.description}>{description}</BaseDialog.Description>
          )}
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** The chosen one of a group of radio buttons. */
function findFirstInput(popup: HTMLElement | null): HTMLElement | null | undefined {
  const first = popup?.querySelector('input');
  return first?.type === 'radio' ? (popup?.querySelector<HTMLElement>('input[type=radio]:checked') ?? first) : first;
}

/** The scrolling middle of a dialog. */
export function DialogBody({ children }: { children: ReactNode }) {
  return <div className={styles.body}>{children}</div>;
}

/** The buttons at a dialog's foot, the primary one last. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className={styles.foot}>{children}</div>;
}
