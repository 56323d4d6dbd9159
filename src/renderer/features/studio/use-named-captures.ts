import { useEffect } from 'react';
import type { PageCaptureDevice } from '../../../shared/model/source.ts';
import type { DeviceDraft, SourceDraft } from './source-draft.ts';
import type { PageCaptures } from './use-page-captures.ts';

interface NamedCapture {
  captureId: string;
  name: string;
  device?: PageCaptureDevice | undefined;
}

/** Names a draft's page captures as soon as the user's choice is known, and remembers their devices. */
export function useNamedCaptures(
  draft: SourceDraft,
  onDraft: (draft: SourceDraft) => void,
  pages: Pick<PageCaptures, 'find'>,
): void {
  const named = nameCaptures(draft, pages);
  useEffect(() => {
    if (named !== draft) onDraft(named);
  });
}

/** The draft with the names and devices of its captures; the same object if nothing changes. */
function nameCaptures(draft: SourceDraft, { find }: Pick<PageCaptures, 'find'>): SourceDraft {
  let hasChanged = false;
  const name = <Named extends NamedCapture>(known: Named): Named => {
    const { place, order, state } = find(known.captureId) ?? {};
    if (place === undefined || state?.kind !== 'open') return known;
    const id = state.deviceId ?? order?.deviceId;
    if (state.name === known.name && (id === undefined || id === known.device?.id)) return known;
    hasChanged = true;
    return { ...known, name: state.name, ...(id !== undefined && { device: { place, id } }) };
  };
  const rename = (device: DeviceDraft | undefined): DeviceDraft | undefined => (device?.by === 'page' ? name(device) : device);
  const { picture, inset, sounds } = draft;
  const renamed: SourceDraft = {
    ...draft,
    picture: 'from' in picture ? { ...picture, from: rename(picture.from) } : picture,
    inset: inset && { ...inset, from: rename(inset.from) },
    // The sound of a screen is named after it, not as it.
    sounds: sounds.map((input) =>
      input.of.kind === 'page' && input.of.of === 'microphone' ? { ...input, of: name(input.of) } : input,
    ),
  };
  return hasChanged ? renamed : draft;
}
