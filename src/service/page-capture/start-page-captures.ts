import type { OneClickState } from '../../shared/model/live.ts';
import type { PictureSource, SoundSource } from '../../shared/model/source.ts';
import { findSentSource } from '../../shared/sent-from-here.ts';
import { reportFault } from '../lib/faults.ts';
import type { Clock } from '../ports.ts';
import type { CapturePageHost } from './capture-page-host.ts';
import { PageCaptures } from './page-captures.ts';
import { PageMedia } from './page-media.ts';

/** How often to check for unused captures and missing pictures, and to list the app's screens while somebody watches. */
const tickMs = 2_000;

/** Starts keeping track of the captures that pages make, and of their media; `close` stops it. */
export function startPageCaptures(options: {
  clock: Pick<Clock, 'monotonicMs'>;
  host: CapturePageHost | undefined;
  /** The one-click broadcasts of all streams. */
  oneClicks: () => readonly OneClickState[];
  /** Whether only a page can capture this computer's screens or windows. */
  needsScreens: () => boolean;
}): { captures: PageCaptures; media: PageMedia; close: () => void } {
  const { clock, host, oneClicks, needsScreens } = options;
  const inUse = () => new Set(oneClicks().flatMap(findCaptureIds));
  const captures = new PageCaptures({ clock, host, inUse, needsScreens });
  const media = new PageMedia(clock, captures);
  const offGiveUp = host?.onGiveUp(() => captures.giveUp());
  const timer = setInterval(() => {
    media.tick();
    captures.tick().catch((error: unknown) => reportFault(error, 'listing the screens of this computer'));
  }, tickMs);
  const close = () => {
    clearInterval(timer);
    offGiveUp?.();
  };
  return { captures, media, close };
}

/** The page captures that a broadcast uses. */
function findCaptureIds(oneClick: OneClickState): string[] {
  const source = findSentSource(oneClick);
  if (source === undefined) return [];
  const { picture, sound } = source;
  const parts: (PictureSource | SoundSource | undefined)[] = [
    picture.main,
    picture.inset?.of,
    ...sound.inputs.map(({ of }) => of),
  ];
  return parts.flatMap((part) => (part?.kind === 'page' ? [part.captureId] : []));
}
