import { useEffect } from 'react';
import type { DeviceDraft, SourceDraft } from './source-draft.ts';
import type { PageCaptures } from './use-page-captures.ts';

/** Names a draft's page captures as soon as it is known what the user picked. */
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

/** The draft with the names of what is captured; the same object if nothing changes. */
export function nameCaptures(draft: SourceDraft, { find }: Pick<PageCaptures, 'find'>): SourceDraft {
  let hasChanged = false;
  const nameOf = (captureId: string, name: string): string => {
    const state = find(captureId)?.state;
    if (state?.kind !== 'open' || state.name === name) return name;
    hasChanged = true;
    return state.name;
  };
  const rename = (device: DeviceDraft | undefined): DeviceDraft | undefined =>
    device?.by === 'page' ? { ...device, name: nameOf(device.captureId, device.name) } : device;
  const { picture, inset, sounds } = draft;
  const renamed: SourceDraft = {
    ...draft,
    picture: 'from' in picture ? { ...picture, from: rename(picture.from) } : picture,
    inset: inset && { ...inset, from: rename(inset.from) },
    // The sound of a screen is named after it, not as it.
    sounds: sounds.map((input) =>
      input.of.kind === 'page' && input.of.of === 'microphone'
        ? { ...input, of: { ...input.of, name: nameOf(input.of.captureId, input.of.name) } }
        : input,
    ),
  };
  return hasChanged ? renamed : draft;
}
