import { ArrowUp, FolderOpen, Plus, X } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CheckboxRow } from '../../components/checkbox-row.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { FileDialog } from './file-dialog.tsx';
import styles from './files-field.module.css';
import type { PictureDraft } from './source-draft.ts';
import { fileName } from './source-names.ts';

type FilesDraft = Extract<PictureDraft, { kind: 'files' }>;

interface FilesFieldProps {
  value: FilesDraft;
  onValue: (files: FilesDraft) => void;
  fault: string | undefined;
  startFault: string | undefined;
  input: RefObject<HTMLInputElement | null>;
}

/** Chooses the files to play, one after another. */
export function FilesField({ value, onValue, fault, startFault, input }: FilesFieldProps) {
  const [isBrowsing, setBrowsing] = useState(false);
  const { paths, loops, startAt } = value;
  const add = (chosen: readonly string[]) =>
    onValue({ ...value, paths: [...paths.filter((path) => path.trim() !== ''), ...chosen] });
  const browse = (words: string, icon: typeof Plus) => {
    const Icon = icon;
    return (
      <Button icon={<Icon aria-hidden />} onClick={() => setBrowsing(true)}>
        {words}
      </Button>
    );
  };
  return (
    <div className={styles.files}>
      {paths.length < 2 ? (
        <TextField
          ref={input}
          label="File path"
          value={paths[0] ?? ''}
          onValue={(path) => onValue({ ...value, paths: [path] })}
          fault={fault}
          hint="Or drop files onto the window."
          placeholder="Path of a video on this computer"
          trailing={browse('Browse…', FolderOpen)}
        />
      ) : (
        <>
          <Playlist paths={paths} onPaths={(next) => onValue({ ...value, paths: next })} />
          {fault === undefined ? null : (
            <p className={styles.fault} role="alert">
              {fault}
            </p>
          )}
          <div>{browse('Add files…', Plus)}</div>
        </>
      )}
      <div className={styles.options}>
        <CheckboxRow
          label="Start again at the end"
          isChecked={loops}
          onChecked={(isChecked) => onValue({ ...value, loops: isChecked })}
        />
        <div className={styles.start}>
          <TextField
            label="Start at"
            value={startAt}
            onValue={(text) => onValue({ ...value, startAt: text })}
            placeholder="0:00"
            fault={startFault}
          />
        </div>
      </div>
      <FileDialog isOpen={isBrowsing} onClose={() => setBrowsing(false)} of="video" isMultiple onChoose={add} />
    </div>
  );
}

/** The files in their order, by name. */
export function Playlist({ paths, onPaths }: { paths: readonly string[]; onPaths: (paths: string[]) => void }) {
  const moveUp = (index: number) => {
    const next = [...paths];
    next.splice(index - 1, 0, ...next.splice(index, 1));
    onPaths(next);
  };
  return (
    <ol className={styles.playlist} aria-label="Files, in the order they play">
      {paths.map((path, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same file may play twice
        <li key={`${index} ${path}`} className={styles.file}>
          <span className={styles.name} title={path}>
            {fileName(path)}
          </span>
          <IconButton
            label={`Play ${fileName(path)} earlier`}
            icon={<ArrowUp aria-hidden />}
            disabled={index === 0}
            onClick={() => moveUp(index)}
          />
          <IconButton
            label={`Remove ${fileName(path)}`}
            icon={<X aria-hidden />}
            onClick={() => onPaths(paths.filter((_, other) => other !== index))}
          />
        </li>
      ))}
    </ol>
  );
}
