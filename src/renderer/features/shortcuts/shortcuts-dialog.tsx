import { useState } from 'react';
import { Dialog, DialogBody } from '../../components/dialog.tsx';
import { useShortcut } from '../../hooks/use-shortcut.ts';
import styles from './shortcuts-dialog.module.css';

const isMac = /Mac/.test(navigator.platform);
const command = isMac ? '⌘' : 'Ctrl';

const shortcuts: readonly { keys: readonly string[]; does: string }[] = [
  { keys: [command, 'Enter'], does: 'Go live, in Studio' },
  { keys: [command, '.'], does: 'Stop, in Studio; again to confirm' },
  { keys: ['T'], does: 'Tally view: just the state and the time' },
  { keys: ['←', '→'], does: 'Ten seconds back or forward, on the Rewind slider' },
  { keys: ['?'], does: 'Show keyboard shortcuts' },
  { keys: ['Esc'], does: 'Close a dialog or menu' },
  { keys: ['Tab'], does: 'Move to the next control' },
];

/** The keyboard shortcuts, opened with `?`. */
export function ShortcutsDialog() {
  const [isOpen, setOpen] = useState(false);
  useShortcut({ key: '?', withCommand: false }, () => setOpen(true));
  return (
    <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Keyboard shortcuts">
      <DialogBody>
        <dl className={styles.list}>
          {shortcuts.map(({ keys, does }) => (
            <div className={styles.row} key={does}>
              <dt>
                {keys.map((key) => (
                  <kbd className={styles.key} key={key}>
                    {key}
                  </kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </DialogBody>
    </Dialog>
  );
}
