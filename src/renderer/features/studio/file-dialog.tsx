import { ArrowUp, FileVideo, Folder } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { FolderListing } from '../../../shared/model/views.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogBody } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { formatSize } from '../../format/quantity.ts';
import { useAction } from '../../hooks/use-action.ts';
import styles from './file-dialog.module.css';

interface FileDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onChoose: (path: string) => void;
}

/** Browses the folders of the service's computer for a video. */
export function FileDialog({ isOpen, onClose, onChoose }: FileDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Choose a file" width="wide">
      <FolderBrowser
        onChoose={(path) => {
          onChoose(path);
          onClose();
        }}
      />
    </Dialog>
  );
}

function FolderBrowser({ onChoose }: { onChoose: (path: string) => void }) {
  const [listing, setListing] = useState<FolderListing>();
  const [typed, setTyped] = useState('');
  const asked = useRef(0);
  /** `typedThen` is the field's text at the request: newer typing is kept when the answer arrives. */
  const browse = useAction(async (client, folder: string | undefined, typedThen: string) => {
    asked.current += 1;
    const number = asked.current;
    const next = await client.file.browse(folder === undefined ? {} : { folder });
    // Answers may arrive out of order: only the last request counts.
    if (number !== asked.current) return;
    setListing(next);
    setTyped((now) => (now === typedThen ? next.folder : now));
  });
  const { run } = browse;
  useEffect(() => {
    void run(undefined, '');
  }, [run]);
  const open = (folder: string | undefined) => void run(folder, typed);
  const openTyped = (event: FormEvent) => {
    event.preventDefault();
    open(typed.trim() === '' ? undefined : typed.trim());
  };
  const parent = listing?.parent;
  // A folder that can't be opened must not show another folder's contents.
  const entries = browse.failure === undefined ? listing?.entries : undefined;

  return (
    <DialogBody>
      <form onSubmit={openTyped}>
        <TextField
          label="Folder"
          value={typed}
          onValue={setTyped}
          trailing={
            <>
              <Button type="submit">Open</Button>
              <Button
                icon={<ArrowUp aria-hidden />}
                disabled={parent === undefined}
                onClick={() => open(parent)}
                aria-label="Open the folder above"
              >
                Up
              </Button>
            </>
          }
        />
      </form>
      {browse.failure === undefined ? null : <Notice severity="bad">{browse.failure.sentence}</Notice>}
      {entries === undefined && browse.failure === undefined ? <p className={styles.empty}>Opening…</p> : null}
      {entries?.length === 0 ? <p className={styles.empty}>No folders or videos here.</p> : null}
      {entries !== undefined && entries.length > 0 ? (
        <ul className={styles.entries} aria-label="Folders and videos">
          {entries.map((entry) => (
            <li key={entry.path}>
              <button
                type="button"
                className={styles.entry}
                onClick={() => (entry.kind === 'folder' ? open(entry.path) : onChoose(entry.path))}
              >
                {entry.kind === 'folder' ? <Folder aria-hidden size={16} /> : <FileVideo aria-hidden size={16} />}
                <span className={styles.name}>{entry.name}</span>
                <span className={styles.size}>
                  {entry.kind === 'folder' ? 'Folder' : entry.sizeBytes === undefined ? '–' : formatSize(entry.sizeBytes)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </DialogBody>
  );
}
