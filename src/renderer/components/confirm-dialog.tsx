import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
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
  onConfirm,
  children,
}: ConfirmDialogProps) {
  usePageInSight(isOpen);
  return (
    <AlertDialog.Root
      open={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Popup className={styles.popup}>
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
