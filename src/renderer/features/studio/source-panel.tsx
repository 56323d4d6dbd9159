import { AppWindow, Cable, Camera, FileVideo, FolderOpen, Image, Monitor, TvMinimal } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { AwayPart, DeviceList } from '../../../shared/model/capture.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceGroup } from '../../components/choice-group.tsx';
import { TextField } from '../../components/text-field.tsx';
import { findFirstFault } from '../../focus/first-fault.ts';
import { useIsSeen } from '../../hooks/use-is-seen.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useSameByContent } from '../../hooks/use-same-by-content.ts';
import { useToasts } from '../../hooks/use-toasts.ts';
import { useStore } from '../../store/store-context.tsx';
import { faultAdvice } from './choice.ts';
import { CornerCamera } from './corner-camera.tsx';
import { DeviceField } from './device-field.tsx';
import { listCaptures } from './draft-captures.ts';
import { dropFiles } from './dropped-files.ts';
import { FileDialog } from './file-dialog.tsx';
import { FilesField } from './files-field.tsx';
import { suggestMicrophone } from './mix-sounds.ts';
import { CaptureNote } from './page-state.tsx';
import { SoundMix } from './sound-mix.tsx';
import {
  choosePicture,
  type DraftFault,
  type KeptPictures,
  type Missing,
  type PictureKind,
  rememberPicture,
  type SourceDraft,
  toPreviewedSource,
} from './source-draft.ts';
import styles from './source-panel.module.css';
import { SourcePreviewFigure } from './source-preview.tsx';
import { useDroppedFiles } from './use-dropped-files.ts';
import { useNamedCaptures } from './use-named-captures.ts';
import { usePageCaptures } from './use-page-captures.ts';
import { useReopenedCaptures } from './use-reopened-captures.ts';
import { useSourcePreview } from './use-source-preview.ts';

/** The kinds of picture, as cards. */
const pictures: Readonly<Record<PictureKind, { label: string; icon: ReactNode }>> = {
  screen: { label: 'Screen', icon: <Monitor aria-hidden /> },
  window: { label: 'Window', icon: <AppWindow aria-hidden /> },
  camera: { label: 'Camera', icon: <Camera aria-hidden /> },
  files: { label: 'Files', icon: <FileVideo aria-hidden /> },
  still: { label: 'Still picture', icon: <Image aria-hidden /> },
  'test-picture': { label: 'Test picture', icon: <TvMinimal aria-hidden /> },
};

/** The card for the other way: another program sends, instead of a source from here. */
const encoderCard = { value: 'encoder' as const, label: 'From OBS or another program', icon: <Cable aria-hidden /> };

interface SourcePanelProps {
  draft: SourceDraft;
  onDraft: (draft: SourceDraft) => void;
  /** The fault found when the source was to be used. */
  missing: Missing | undefined;
  /** The service's answer about a file, shown at its field. */
  fileFault?: string | undefined;
  fileInput: RefObject<HTMLInputElement | null>;
  /** Called with the parts of the source that can't be captured now, whenever they change. */
  onAway?: (away: readonly AwayPart[]) => void;
  /** Without ffmpeg there is nothing to choose but another program. */
  isDisabled?: boolean;
  /** The other way, if it can be chosen. */
  encoder?: { isChosen: boolean; onChosen: (isChosen: boolean) => void; steps: ReactNode };
  /** Further choices, shown below the source. */
  children?: ReactNode;
}

/** Chooses what viewers see and hear, with a live preview. */
export function SourcePanel(props: SourcePanelProps) {
  const { draft, onDraft, encoder, isDisabled = false } = props;
  const [kept, setKept] = useState<KeptPictures>({ pictures: {}, inset: undefined });
  // A card changes the kind of picture, and so do dropped files.
  const change = (next: SourceDraft) => {
    if (next.picture.kind !== draft.picture.kind) setKept(rememberPicture(kept, draft));
    onDraft(next);
  };
  const cards = (Object.keys(pictures) as PictureKind[]).map((value) => ({ value, ...pictures[value], isDisabled }));
  return (
    <div className={styles.panel}>
      <ChoiceGroup<PictureKind | 'encoder'>
        label="Source"
        value={encoder?.isChosen === true ? 'encoder' : draft.picture.kind}
        onValue={(kind) => {
          encoder?.onChosen(kind === 'encoder');
          if (kind !== 'encoder') change(choosePicture(draft, kind, rememberPicture(kept, draft)));
        }}
        options={encoder === undefined ? cards : [...cards, encoderCard]}
      />
      {encoder?.isChosen === true ? encoder.steps : isDisabled ? null : <OwnSource {...props} onDraft={change} />}
    </div>
  );
}

function OwnSource({ draft, onDraft: onDraftOnly, missing, fileFault, fileInput, onAway, children }: SourcePanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const isSeen = useIsSeen(panel);
  const devices = useDevices(isSeen);
  const previewed = toPreviewedSource(draft);
  const { preview, refusal, away } = useSourcePreview(previewed, isSeen);
  const toasts = useToasts();
  const [mixFault, setMixFault] = useState<string>();
  const onDraft = (next: SourceDraft) => {
    setMixFault(undefined);
    onDraftOnly(next);
  };
  const captureIds = listCaptures(draft).map(({ captureId }) => captureId);
  const pages = useReopenedCaptures(draft, onDraft, usePageCaptures(captureIds));
  useAway(away, onAway);
  useSuggestedMicrophone(draft, onDraft, devices);
  useNamedCaptures(draft, onDraft, pages);
  useDroppedFiles({
    onPaths: (paths) => {
      const dropped = dropFiles(draft, paths);
      onDraft(dropped.draft);
      setMixFault(dropped.fault);
    },
    onNames: () => toasts.say("Browsers don't reveal where a file is. Choose it with Browse… from this service's folders."),
  });
  useEffect(() => {
    if (missing !== undefined) focusFault(panel.current);
  }, [missing]);

  const advice = (of: DraftFault) => (missing?.fault === of ? faultAdvice[of] : undefined);
  const { picture } = draft;
  return (
    <div className={styles.source} ref={panel}>
      <fieldset className={styles.picture}>
        <legend className={styles.legend}>Picture</legend>
        {picture.kind === 'test-picture' ? <p className={styles.note}>A pattern with a clock, and a tone of 440 Hz.</p> : null}
        {picture.kind === 'files' ? (
          <FilesField
            value={picture}
            onValue={(files) => onDraft({ ...draft, picture: files })}
            fault={fileFault ?? advice('no-file') ?? advice('too-many-files')}
            startFault={advice('bad-start')}
            input={fileInput}
          />
        ) : null}
        {picture.kind === 'still' ? (
          <StillField
            path={picture.path}
            onPath={(path) => onDraft({ ...draft, picture: { kind: 'still', path } })}
            fault={fileFault ?? advice('no-still')}
            input={fileInput}
          />
        ) : null}
        {'from' in picture ? (
          <DeviceField
            key={picture.kind}
            kind={picture.kind}
            value={picture.from}
            onValue={(from) => onDraft({ ...draft, picture: { ...picture, from } })}
            devices={devices}
            pages={pages}
            fault={advice('no-device')}
          />
        ) : null}
        {picture.kind === 'camera' ? null : (
          <CornerCamera
            value={draft.inset}
            onValue={(inset) => onDraft({ ...draft, inset })}
            devices={devices}
            pages={pages}
            fault={advice('no-inset')}
          />
        )}
      </fieldset>
      <SourcePreviewFigure
        preview={preview}
        away={away}
        refusal={refusal}
        isReady={previewed !== undefined}
        hasSound={draft.sounds.length > 0}
      />
      <fieldset className={styles.sound}>
        <legend className={styles.legend}>Sound</legend>
        <SoundMix
          draft={draft}
          onDraft={onDraft}
          devices={devices}
          pages={pages}
          preview={preview}
          fault={mixFault}
          onFault={setMixFault}
        />
      </fieldset>
      {pages.failure === undefined ? null : (
        <div className={styles.refused}>
          <CaptureNote>{pages.failure.sentence}</CaptureNote>
        </div>
      )}
      {children === undefined ? null : <div className={styles.more}>{children}</div>}
    </div>
  );
}

/** The devices, undefined until they are known. While nobody sees them, the service doesn't look for them, and the last list stays. */
function useDevices(isSeen: boolean): DeviceList | undefined {
  const { devices } = useStore();
  const list = useLiveValue(isSeen ? devices : undefined);
  const [last, setLast] = useState<DeviceList>();
  const newest = list?.kind === 'known' ? list.value : list?.kind === 'failed' ? undefined : last;
  if (newest !== last) setLast(newest);
  return newest;
}

/** Adds the default microphone as soon as it is known, where the picture has no sound of its own. */
function useSuggestedMicrophone(
  draft: SourceDraft,
  onDraft: (draft: SourceDraft) => void,
  devices: DeviceList | undefined,
): void {
  const suggested = suggestMicrophone(draft, devices?.microphones ?? []);
  useEffect(() => {
    if (suggested !== draft) onDraft(suggested);
  });
}

/** Reports the parts that are away, and none once the panel is gone. */
function useAway(away: readonly AwayPart[], onAway: SourcePanelProps['onAway']): void {
  const known = useSameByContent(away);
  useEffect(() => onAway?.(known), [known, onAway]);
  useEffect(() => () => onAway?.([]), [onAway]);
}

/** Moves the focus to the field at fault, or to the button that fills it: an empty list can't be opened. */
function focusFault(panel: HTMLElement | null): void {
  const field = findFirstFault(panel);
  field?.focus();
  if (field === document.activeElement) return;
  field?.closest('fieldset')?.querySelector<HTMLElement>('button:not([disabled], [data-disabled])')?.focus();
}

interface StillFieldProps {
  path: string;
  onPath: (path: string) => void;
  fault: string | undefined;
  input: RefObject<HTMLInputElement | null>;
}

function StillField({ path, onPath, fault, input }: StillFieldProps) {
  const [isBrowsing, setBrowsing] = useState(false);
  return (
    <>
      <TextField
        ref={input}
        label="File path"
        value={path}
        onValue={onPath}
        fault={fault}
        hint="Or drop a picture onto the window."
        placeholder="Path of a picture"
        trailing={
          <Button icon={<FolderOpen aria-hidden />} onClick={() => setBrowsing(true)}>
            Browse…
          </Button>
        }
      />
      <FileDialog
        isOpen={isBrowsing}
        onClose={() => setBrowsing(false)}
        of="picture"
        onChoose={([chosen = '']) => onPath(chosen)}
      />
    </>
  );
}
