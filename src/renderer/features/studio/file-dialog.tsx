import { ArrowUp, Check, FileAudio, FileImage, FileVideo, Folder } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { drivesFolder, type FileKind, type FolderListing } from '../../../shared/model/views.ts';
import { readPastedPath } from '../../../shared/trim-pasted.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogBody, DialogFoot } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { formatSize } from '../../format/quantity.ts';
import { useAction } from '../../hooks/use-action.ts';
import { useConnectionState } from '../../hooks/use-connection-state.ts';
import styles from './file-dialog.module.css';

interface FileDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The kind of files listed. */
  of: FileKind;
  /** Whether several can be chosen. */
  isMultiple?: boolean;
  onChoose: (paths: string[]) => void;
}

const titles: Readonly<Record<FileKind, { one: string; several: string; none: string; icon: ReactNode }>> = {
  video: {
    one: 'Choose a file',
    several: 'Choose files',
    none: 'No folders or videos here.',
    icon: <FileVideo aria-hidden size={16} />,
  },
  picture: {
    one: 'Choose a picture',
    several: 'Choose pictures',
    none: 'No folders or pictures here.',
    icon: <FileImage aria-hidden size={16} />,
  },
  sound: {
    one: 'Choose a sound file',
    several: 'Choose sound files',
    none: 'No folders or sound files here.',
    icon: <FileAudio aria-hidden size={16} />,
  },
};

/** Browses the folders of the service's computer for files. */
export function FileDialog({ isOpen, onClose, of, isMultiple = false, onChoose }: FileDialogProps) {
  const { one, several } = titles[of];
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={isMultiple ? several : one} width="wide">
      <FolderBrowser
        of={of}
        isMultiple={isMultiple}
        onCancel={onClose}
        onChoose={(paths) => {
          // The button can be pressed once more while the dialog fades out.
          if (!isOpen) return;
          onChoose(paths);
          onClose();
        }}
      />
    </Dialog>
  );
}

function FolderBrowser({
  of,
  isMultiple,
  onCancel,
  onChoose,
}: {
  of: FileKind;
  isMultiple: boolean;
  onCancel: () => void;
  onChoose: (paths: string[]) => void;
}) {
  const [listing, setListing] = useState<FolderListing>();
  const [typed, setTyped] = useState('');
  const [picked, setPicked] = useState<readonly string[]>([]);
  const asked = useRef<{ folder: string | undefined; isAnswered: boolean }>({ folder: undefined, isAnswered: false });
  /** `typedThen` is the field's text at the request: newer typing is kept when the answer arrives. */
  const browse = useAction(async (client, folder: string | undefined, typedThen: string) => {
    const request = { folder, isAnswered: false };
    asked.current = request;
    // Answers may arrive out of order: only the last request counts.
    const isLast = () => request === asked.current;
    try {
      const next = await client.file.browse(folder === undefined ? { of } : { folder, of });
      if (!isLast()) return;
      request.isAnswered = true;
      setListing(next);
      setTyped((now) => (now === typedThen ? next.folder : now));
    } catch (error) {
      if (isLast()) throw error;
    }
  });
  const { run } = browse;
  const isOpen = useConnectionState().kind === 'open';
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when the service is back
  useEffect(() => {
    if (!asked.current.isAnswered) void run(asked.current.folder, asked.current.folder ?? '');
  }, [run, isOpen]);
  const open = (folder: string | undefined) => void run(folder, typed);
  const openTyped = (event: FormEvent) => {
    event.preventDefault();
    open(readPastedPath(typed) || undefined);
  };
  const pick = (path: string) => {
    if (!isMultiple) onChoose([path]);
    else setPicked(picked.includes(path) ? picked.filter((other) => other !== path) : [...picked, path]);
  };
  const parent = listing?.parent;
  // A folder that can't be opened must not show another folder's contents.
  const entries = browse.failure === undefined ? listing?.entries : undefined;

  return (
    <>
      <DialogBody>
        <form onSubmit={openTyped}>
          <TextField
            label="Folder"
            value={typed}
            onValue={setTyped}
            placeholder={listing?.folder === drivesFolder ? 'All drives' : undefined}
            trailing={
              <>
                <Button type="submit">Open</Button>
                <Button
                  icon={<ArrowUp aria-hidden />}
                  isUnavailable={parent === undefined}
                  onClick={() => open(parent)}
                  aria-label="Open the folder above"
                >
                  Up
                </Button>
              </>
            }
          />
        </form>
        <FailureNotice failure={browse.failure} />
        {entries === undefined && browse.failure === undefined ? <p className={styles.empty}>Opening…</p> : null}
        {entries?.length === 0 ? <p className={styles.empty}>{titles[of].none}</p> : null}
        {entries !== undefined && entries.length > 0 ? (
          <ul className={styles.entries} aria-label="Folders and files">
            {entries.map((entry) => (
              <li key={entry.path}>
                <button
                  type="button"
                  className={styles.entry}
                  aria-pressed={isMultiple && entry.kind === 'file' ? picked.includes(entry.path) : undefined}
                  onClick={() => (entry.kind === 'folder' ? open(entry.path) : pick(entry.path))}
                >
                  {entry.kind === 'folder' ? (
                    <Folder aria-hidden size={16} />
                  ) : (
                    <EntryIcon isPicked={picked.includes(entry.path)} of={of} />
                  )}
                  <span className={styles.name} dir="auto" title={entry.name}>
                    {entry.name}
                  </span>
                  <span className={styles.size}>
                    {entry.kind === 'folder' ? 'Folder' : entry.sizeBytes === undefined ? '–' : formatSize(entry.sizeBytes)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        ) : null}
      </DialogBody>
      {isMultiple ? (
        <DialogFoot>
          <Button onClick={onCancel}>Cancel</Button>
          <Button kind="primary" disabled={picked.length === 0} onClick={() => onChoose([...picked])}>
            {picked.length < 2 ? 'Add the file' : `Add ${picked.length} files`}
          </Button>
        </DialogFoot>
      ) : null}
    </>
  );
}

function EntryIcon({ isPicked, of }: { isPicked: boolean; of: FileKind }) {
  return isPicked ? <Check aria-hidden size={16} /> : titles[of].icon;
}
