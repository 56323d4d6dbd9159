import type { OneClickState } from '../../../shared/model/live.ts';
import type { SoundSource } from '../../../shared/model/source.ts';
import type { PageCaptures } from './use-page-captures.ts';

/** The sounds of a broadcast from here that are what a computer plays, and are heard. */
export function listPlayedSounds(oneClick: OneClickState): SoundSource[] {
  if (!('source' in oneClick) || oneClick.kind === 'failed') return [];
  return oneClick.source.sound.inputs.filter(({ isMuted }) => !isMuted).flatMap(({ of }) => (isPlayed(of) ? of : []));
}

function isPlayed(of: SoundSource): boolean {
  return of.kind === 'system' || (of.kind === 'page' && of.of === 'system');
}

/**
 * Whether what a page's monitor plays may go out again with one of {@link listPlayedSounds}. A device may be of other speakers than the
 * monitor's. What another browser captures is left out: nobody knows on which computer it is.
 *
 * @param page.isBesideService whether the page is on the service's computer.
 * @param page.place where the captures of its own browser, or of the app, run.
 */
export function mayEcho(
  sounds: readonly SoundSource[],
  { isBesideService, place, find }: { isBesideService: boolean } & Pick<PageCaptures, 'place' | 'find'>,
): boolean {
  return sounds.some((of) => {
    if (of.kind !== 'page') return isBesideService;
    const capture = find(of.captureId);
    return capture?.place === place && capture.state.kind === 'open' && capture.state.hearsMonitor === true;
  });
}
