import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactNode, useEffect, useRef } from 'react';
import { focusScreen } from '../focus/focus-screen.ts';
import { usePageInSight } from '../hooks/use-page-in-sight.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** What will be lost. */
  description: ReactNode;
  /** The label of the confirming button. */
  confirm: string;
  isPending?: boolean;
  /** Set if the button that opened the dialog disappears with the removed item, or becomes another button. */
  removesOpener?: boolean;
  onConfirm: () => unknown;
  /** The error of a failed attempt. */
  children?: ReactNode;
}

/** Asks before something is lost. The focus starts on Cancel, so a habitual key press does no harm. */
export function ConfirmDialog({
  isOpen,
  onClose,
  title,
  description,
  confirm,
  isPending,
  removesOpener = false,
  onConfirm,
  children,
}: ConfirmDialogProps) {
  const isCancelled = useRef(false);
  usePageInSight(isOpen);
  useEffect(() => {
    // It may close without Cancel and without its button: by a shortcut, or because there is nothing left to ask.
    if (isOpen) isCancelled.current = false;
  }, [isOpen]);
  return (
    <AlertDialog.Root
      open={isOpen}
      onOpenChange={(open) => {
        isCancelled.current = !open;
        if (!open) onClose();
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Popup
          className={styles.popup}
          data-modal
          finalFocus={() => {
            if (isFocusElsewhere()) return false;
            if (!removesOpener || isCancelled.current) return true;
            // The library would choose the screen's first control, which may be out of sight.
            queueMicrotask(focusScreen);
            return false;
          }}
        >
          <div className={styles.head}>
            <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
          </div>
          <AlertDialog.Description className={styles.description} render={<div />}>
            {description}
          </AlertDialog.Description>
          <div className={styles.body}>{children}</div>
          <div className={styles.foot}>
            <AlertDialog.Close render={<Button />}>Cancel</AlertDialog.Close>
            <Button kind="danger" isPending={isPending} onClick={() => void onConfirm()}>
              {confirm}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** Whether the focus has left the dialog while it faded out. The library would move it back. */
function isFocusElsewhere(): boolean {
  const focused = document.activeElement;
  return focused !== null && focused !== document.body && focused.closest('[role=alertdialog]') === null;
}
