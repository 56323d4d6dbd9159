import { ArrowUp, FolderOpen, Plus, X } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { fileName } from '../../../shared/file-name.ts';
import { Button } from '../../components/button.tsx';
import { CheckboxRow } from '../../components/checkbox-row.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { FileDialog } from './file-dialog.tsx';
import styles from './files-field.module.css';
import type { PictureDraft } from './source-draft.ts';

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
          <Playlist
            paths={paths}
            onPaths={(next) => {
              onValue({ ...value, paths: next });
              // The last one is typed again.
              if (next.length < 2) requestAnimationFrame(() => input.current?.focus());
            }}
          />
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

/** The files in their order, by name. The focus stays with a file that moves, and goes to the next one if it is removed. */
function Playlist({ paths, onPaths }: { paths: readonly string[]; onPaths: (paths: string[]) => void }) {
  const list = useRef<HTMLOListElement>(null);
  const rows = nameRows(paths);
  const moveUp = (index: number) => {
    const next = [...paths];
    next.splice(index - 1, 0, ...next.splice(index, 1));
    onPaths(next);
  };
  const remove = (index: number) => {
    onPaths(paths.filter((_, other) => other !== index));
    const next = paths.length - 1 === index ? index - 1 : index;
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>('[data-remove]')[next]?.focus());
  };
  return (
    <ol ref={list} className={styles.playlist} aria-label="Files, in the order they play">
      {paths.map((path, index) => (
        <li key={rows[index]} className={styles.file}>
          <span className={styles.name} dir="auto" title={path}>
            {fileName(path)}
          </span>
          <IconButton
            label={`Play ${fileName(path)} earlier`}
            icon={<ArrowUp aria-hidden />}
            isUnavailable={index === 0}
            onClick={() => moveUp(index)}
          />
          <IconButton label={`Remove ${fileName(path)}`} icon={<X aria-hidden />} data-remove onClick={() => remove(index)} />
        </li>
      ))}
    </ol>
  );
}

/** A name for each row that stays the same when its file moves; the same file may play twice. */
function nameRows(paths: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return paths.map((path) => {
    const before = seen.get(path) ?? 0;
    seen.set(path, before + 1);
    return `${before} ${path}`;
  });
}
