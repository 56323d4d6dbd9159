import type { PageCaptureDevice } from '../../../shared/model/source.ts';
import type { DeviceDraft, SourceDraft } from './source-draft.ts';

/** A draft's picture or sound that a page captures. */
export interface DraftCapture {
  captureId: string;
  of: 'screen' | 'window' | 'camera' | 'microphone' | 'system';
  name: string;
  device?: PageCaptureDevice | undefined;
}

type CaptureChanges = Partial<Omit<DraftCapture, 'of'>>;

/** The draft with its page captures changed; undefined leaves one as it is. The same object if nothing changes. */
export function changeCaptures(
  draft: SourceDraft,
  findChanges: (capture: DraftCapture) => CaptureChanges | undefined,
): SourceDraft {
  let hasChanged = false;
  const change = <Capture extends Omit<DraftCapture, 'of'>>(capture: Capture, of: DraftCapture['of']): Capture => {
    const changes = findChanges({ ...capture, of });
    hasChanged ||= changes !== undefined;
    return { ...capture, ...changes };
  };
  const changeDevice = (from: DeviceDraft | undefined, of: DraftCapture['of']): DeviceDraft | undefined =>
    from?.by === 'page' ? change(from, of) : from;
  const { picture, inset, sounds } = draft;
  const changed: SourceDraft = {
    ...draft,
    picture: 'from' in picture ? { ...picture, from: changeDevice(picture.from, picture.kind) } : picture,
    inset: inset && { ...inset, from: changeDevice(inset.from, 'camera') },
    sounds: sounds.map((input) => (input.of.kind === 'page' ? { ...input, of: change(input.of, input.of.of) } : input)),
  };
  return hasChanged ? changed : draft;
}

/** The page captures of a draft, each once: a screen whose sound is used, too, is a screen. */
export function listCaptures(draft: SourceDraft): DraftCapture[] {
  const captures = new Map<string, DraftCapture>();
  changeCaptures(draft, (capture) => {
    if (!captures.has(capture.captureId)) captures.set(capture.captureId, capture);
    return undefined;
  });
  return [...captures.values()];
}
