import { useEffect } from 'react';
import { isSameSound, type SoundInput } from '../../../shared/model/source.ts';
import { changeCaptures } from './draft-captures.ts';
import type { SourceDraft } from './source-draft.ts';
import type { PageCapturesHook } from './use-page-captures.ts';

/** Names a draft's page captures as soon as the user's choice is known, and remembers their devices. */
export function useNamedCaptures(
  draft: SourceDraft,
  onDraft: (draft: SourceDraft) => void,
  pages: Pick<PageCapturesHook, 'find'>,
): void {
  const named = nameCaptures(draft, pages);
  useEffect(() => {
    if (named !== draft) onDraft(named);
  });
}

/**
 * The draft with the names and devices of its captures; the same object if nothing changes. A sound that turns out to be in the mix already
 * is left out: the service takes each only once.
 */
export function nameCaptures(draft: SourceDraft, { find }: Pick<PageCapturesHook, 'find'>): SourceDraft {
  const named = changeCaptures(draft, ({ captureId, of, name, device }) => {
    // The sound of a screen is named after it, not as it.
    if (of === 'system') return undefined;
    const { place, order, state } = find(captureId) ?? {};
    if (place === undefined || state?.kind !== 'open') return undefined;
    const id = state.deviceId ?? order?.deviceId;
    if (state.name === name && (id === undefined || id === device?.id)) return undefined;
    return { name: state.name, ...(id !== undefined && { device: { place, id } }) };
  });
  if (named === draft) return draft;
  const isFirst = ({ of }: SoundInput, at: number) => named.sounds.findIndex((other) => isSameSound(other.of, of)) === at;
  return { ...named, sounds: named.sounds.filter(isFirst) };
}
