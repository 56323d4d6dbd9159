import type { OneClickState } from '../../shared/model/live.ts';
import type { PictureSource } from '../../shared/model/source.ts';
import { findSentSource } from '../../shared/sent-from-here.ts';

/** Whether a broadcast shows a screen or a window, and so needs a display that is on. */
export function showsDisplay(oneClick: OneClickState): boolean {
  const source = findSentSource(oneClick);
  if (source === undefined) return false;
  const { main, inset } = source.picture;
  return isOfDisplay(main) || (inset !== undefined && isOfDisplay(inset.of));
}

function isOfDisplay(picture: PictureSource): boolean {
  const kind = picture.kind === 'page' ? picture.of : picture.kind;
  return kind === 'screen' || kind === 'window';
}
