import {
  type Device,
  type Inset,
  isSameSound,
  maxFiles,
  type PageCaptureDevice,
  type PictureSource,
  type SoundInput,
  type SoundSource,
  type Source,
} from '../../../shared/model/source.ts';
import { readPastedPath } from '../../../shared/trim-pasted.ts';

/** A picture that is being chosen: missing parts are undefined or empty. */
export type PictureDraft =
  | { kind: 'test-picture' }
  | { kind: 'files'; paths: readonly string[]; loops: boolean; startAt: string }
  | { kind: 'still'; path: string }
  | { kind: 'screen' | 'window' | 'camera'; from: DeviceDraft | undefined };

/** The kinds of picture to choose from, as cards. */
export type PictureKind = PictureDraft['kind'];

/** A device of the service's computer, or what a page captures. */
export type DeviceDraft =
  | { by: 'service'; device: Device }
  | { by: 'page'; captureId: string; name: string; device?: PageCaptureDevice | undefined };

/** A camera in a corner; `from` is undefined until one is chosen. */
export interface InsetDraft {
  from: DeviceDraft | undefined;
  corner: Inset['corner'];
  share: number;
}

/** A source that is being chosen. */
export interface SourceDraft {
  picture: PictureDraft;
  inset: InsetDraft | undefined;
  sounds: readonly SoundInput[];
  limits: boolean;
  /** Nobody has chosen a sound, or silence, since this picture was: a microphone is suggested. */
  wantsSound?: true;
  /** Nobody had chosen either when it was last used (`Sound.isUnchosen`): nothing is suggested any more. */
  isUnchosen?: true;
  /** The sound that was added for that reason; it goes away with the picture, unless it was changed. */
  suggested?: SoundSource;
}

/** What is missing or wrong before a draft is a source. */
export type DraftFault = 'no-file' | 'too-many-files' | 'no-still' | 'no-device' | 'bad-start' | 'no-inset';

/** The fault found when a draft was to be used; each attempt makes a new object. */
export interface Missing {
  fault: DraftFault;
}

/** The draft as the contract's source, or what is missing. */
export function toSource({
  picture,
  inset,
  sounds,
  limits,
  wantsSound,
  isUnchosen,
}: SourceDraft): { source: Source } | Missing {
  const main = toPicture(picture);
  if (typeof main === 'string') return { fault: main };
  const corner = inset && toDevicePicture('camera', inset.from);
  if (inset !== undefined && corner === undefined) return { fault: 'no-inset' };
  return {
    source: {
      picture: { main, ...(inset && corner && { inset: { of: corner, corner: inset.corner, share: inset.share } }) },
      sound: {
        inputs: [...sounds],
        limits,
        ...((wantsSound || isUnchosen) && { isUnchosen: true }),
      },
    },
  };
}

/**
 * The part of a draft that can already be previewed: the corner may wait for its camera. Files loop in the preview, since *Go live* starts
 * them from the beginning however long they have been previewed.
 */
export function toPreviewedSource(draft: SourceDraft): Source | undefined {
  const { picture } = draft;
  const parsed = toSource({
    ...draft,
    inset: draft.inset?.from && draft.inset,
    picture: picture.kind === 'files' ? { ...picture, loops: true } : picture,
  });
  return 'source' in parsed ? parsed.source : undefined;
}

function toPicture(picture: PictureDraft): PictureSource | DraftFault {
  switch (picture.kind) {
    case 'test-picture':
      return picture;
    case 'still': {
      const path = readPastedPath(picture.path);
      return path === '' ? 'no-still' : { kind: 'still', path };
    }
    case 'files': {
      const paths = picture.paths.map(readPastedPath).filter((path) => path !== '');
      const startAtSeconds = parseTime(picture.startAt);
      if (paths.length === 0) return 'no-file';
      if (paths.length > maxFiles) return 'too-many-files';
      if (startAtSeconds === undefined) return 'bad-start';
      return { kind: 'files', paths, loops: picture.loops, ...(startAtSeconds > 0 && { startAtSeconds }) };
    }
    default:
      return toDevicePicture(picture.kind, picture.from) ?? 'no-device';
  }
}

function toDevicePicture(kind: 'screen' | 'window' | 'camera', from: DeviceDraft | undefined): PictureSource | undefined {
  if (from === undefined) return undefined;
  const { by } = from;
  return by === 'service'
    ? { kind, device: from.device }
    : { kind: 'page', captureId: from.captureId, of: kind, name: from.name, ...(from.device && { device: from.device }) };
}

/** A source as a draft, to be changed. */
export function fromSource({ picture: { main, inset }, sound }: Source): SourceDraft {
  return {
    picture: fromPicture(main),
    inset: inset && { from: toDevice(inset.of), corner: inset.corner, share: inset.share },
    sounds: sound.inputs,
    limits: sound.limits,
    ...(sound.isUnchosen && { isUnchosen: true }),
  };
}

function fromPicture(main: PictureSource): PictureDraft {
  switch (main.kind) {
    case 'test-picture':
    case 'still':
      return main;
    case 'files':
      return { kind: 'files', paths: main.paths, loops: main.loops, startAt: formatTime(main.startAtSeconds ?? 0) };
    case 'page':
      return { kind: main.of, from: toDevice(main) };
    default:
      return { kind: main.kind, from: toDevice(main) };
  }
}

function toDevice(of: PictureSource): DeviceDraft | undefined {
  if (of.kind === 'page')
    return { by: 'page', captureId: of.captureId, name: of.name, ...(of.device && { device: of.device }) };
  return 'device' in of ? { by: 'service', device: of.device } : undefined;
}

/** The earlier choice for each kind of picture, and for the corner. */
export interface KeptPictures {
  pictures: Partial<Record<PictureKind, PictureDraft>>;
  inset: InsetDraft | undefined;
}

/** Remembers a draft's picture, for when its kind is chosen again. */
export function rememberPicture(kept: KeptPictures, { picture, inset }: SourceDraft): KeptPictures {
  return {
    pictures: { ...kept.pictures, [picture.kind]: picture },
    // A camera has no corner.
    inset: picture.kind === 'camera' ? kept.inset : inset,
  };
}

/** The draft with another kind of picture, as it was before or at its defaults; the sound in files comes and goes with them. */
export function choosePicture(
  before: SourceDraft,
  kind: PictureKind,
  kept: KeptPictures = { pictures: {}, inset: before.inset },
): SourceDraft {
  if (before.picture.kind === kind) return before;
  const { wantsSound, isUnchosen, ...draft } = before;
  const first = firstSounds[kind];
  const sounds = draft.sounds.filter(
    (input) =>
      input.of.kind !== 'of-picture' &&
      (input.of.kind !== 'test-tone' || kind === 'test-picture') &&
      (first === 'microphone' || !isUntouched(input, draft.suggested)),
  );
  const chosen = {
    ...draft,
    picture: kept.pictures[kind] ?? emptyPicture(kind),
    // A camera isn't shown in its own corner.
    inset: kind === 'camera' ? undefined : kept.inset,
    sounds: typeof first === 'object' && sounds.length === 0 ? [asInput(first)] : sounds,
  };
  // If the picture had sound at first, somebody has removed it.
  const wasSilenced = before.sounds.length === 0 && !wantsSound && !isUnchosen && firstSounds[before.picture.kind] !== 'none';
  return first === 'microphone' && sounds.length === 0 && !wasSilenced ? { ...chosen, wantsSound: true } : chosen;
}

/** Whether a sound of the mix is the suggested one, unchanged. */
function isUntouched({ of, levelDb, isMuted }: SoundInput, suggested: SoundSource | undefined): boolean {
  return suggested !== undefined && isSameSound(of, suggested) && levelDb === 0 && !isMuted;
}

/** The sound that a kind of picture begins with: one of its own, the default microphone, or none. */
const firstSounds: Readonly<Record<PictureKind, SoundSource | 'microphone' | 'none'>> = {
  screen: 'microphone',
  window: 'microphone',
  camera: 'microphone',
  files: { kind: 'of-picture' },
  still: 'none',
  'test-picture': { kind: 'test-tone' },
};

function emptyPicture(kind: PictureKind): PictureDraft {
  switch (kind) {
    case 'test-picture':
      return { kind };
    case 'files':
      return { kind, paths: [], loops: true, startAt: '' };
    case 'still':
      return { kind, path: '' };
    default:
      return { kind, from: undefined };
  }
}

/** A sound as it is. */
export function asInput(of: SoundSource): SoundInput {
  return { of, levelDb: 0, isMuted: false };
}

/** The seconds of a time like `90`, `1:30` or `1:02:03.5`; 0 for an empty text, undefined for any other. */
export function parseTime(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return 0;
  const match = /^(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,6}(?:\.\d{1,3})?)$/.exec(trimmed);
  if (match === null) return undefined;
  const [, hours = '0', minutes = '0', seconds = '0'] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function formatTime(seconds: number): string {
  if (seconds === 0) return '';
  const rest = String(Math.round((seconds % 60) * 1000) / 1000);
  return `${Math.floor(seconds / 60)}:${/^\d(\.|$)/.test(rest) ? '0' : ''}${rest}`;
}
