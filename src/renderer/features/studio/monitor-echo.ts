import type { OneClickState } from '../../../shared/model/live.ts';
import type { SoundSource } from '../../../shared/model/source.ts';
import { findSentSource } from '../../../shared/sent-from-here.ts';
import type { PageCapturesHook } from './use-page-captures.ts';

/** The unmuted sounds of a broadcast from here that capture what a computer plays. */
export function listPlayedSounds(oneClick: OneClickState): SoundSource[] {
  const { inputs = [] } = findSentSource(oneClick)?.sound ?? {};
  return inputs.filter(({ isMuted }) => !isMuted).flatMap(({ of }) => (isPlayed(of) ? of : []));
}

function isPlayed(of: SoundSource): boolean {
  return of.kind === 'system' || (of.kind === 'page' && of.of === 'system');
}

/**
 * Whether the sound of a page's monitor may go out again with one of {@link listPlayedSounds}. A device may belong to other speakers than
 * the monitor's. Captures of other browsers don't count: nobody knows which computer they run on.
 *
 * @param page.isBesideService whether the page is on the service's computer.
 * @param page.place the place of its own browser's captures, or of the app's.
 */
export function mayEcho(
  sounds: readonly SoundSource[],
  { isBesideService, place, find }: { isBesideService: boolean } & Pick<PageCapturesHook, 'place' | 'find'>,
): boolean {
  return sounds.some((of) => {
    if (of.kind !== 'page') return isBesideService;
    const capture = find(of.captureId);
    return capture?.place === place && capture.state.kind === 'open' && capture.state.hearsMonitor === true;
  });
}
