import { Menu } from '@base-ui/react/menu';
import { CirclePause, CirclePlay, Ellipsis, KeyRound, Pencil, Trash2 } from 'lucide-react';
import type { StreamView } from '../../../shared/model/views.ts';
import { IconButton } from '../../components/icon-button.tsx';
import popupStyles from '../../components/popup.module.css';
import { popupLayer } from '../../components/popup-layer.ts';
import { goTo } from '../../hooks/use-route.ts';
import styles from './stream-menu.module.css';
import { asksToSuspend } from './suspend-stream-dialog.tsx';

interface StreamMenuProps {
  stream: StreamView;
  onSuspend: (isSuspended: boolean) => void;
  onRenewKey: () => void;
  onDelete: () => void;
}

/** The actions on a stream besides opening it. */
export function StreamMenu({ stream, onSuspend, onRenewKey, onDelete }: StreamMenuProps) {
  const isSuspended = stream.suspended === true;
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger render={<IconButton label={`More about ${stream.name}`} icon={<Ellipsis aria-hidden />} />} />
      <Menu.Portal container={popupLayer()}>
        <Menu.Positioner className={popupStyles.positioner} align="end" sideOffset={4}>
          <Menu.Popup className={`${popupStyles.popup} ${styles.popup}`}>
            <Menu.Item className={styles.item} onClick={() => goTo({ kind: 'edit-stream', streamId: stream.id })}>
              <Pencil aria-hidden size={16} />
              Edit…
            </Menu.Item>
            <Menu.Item className={styles.item} onClick={() => onSuspend(!isSuspended)}>
              {isSuspended ? <CirclePlay aria-hidden size={16} /> : <CirclePause aria-hidden size={16} />}
              {isSuspended ? 'Resume' : asksToSuspend(stream) ? 'Suspend…' : 'Suspend'}
            </Menu.Item>
            {/* A remote service's interface has no call for a new key. */}
            {stream.serviceId === undefined ? (
              <Menu.Item className={styles.item} onClick={onRenewKey}>
                <KeyRound aria-hidden size={16} />
                New key…
              </Menu.Item>
            ) : null}
            <Menu.Item className={styles.item} data-danger onClick={onDelete}>
              <Trash2 aria-hidden size={16} />
              Delete…
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
