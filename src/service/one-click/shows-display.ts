import type { OneClickState } from '../../shared/model/live.ts';
import type { PictureSource } from '../../shared/model/source.ts';

/** Whether a broadcast shows a screen or a window, and so needs a display that is on. */
export function showsDisplay(oneClick: OneClickState): boolean {
  if (!('source' in oneClick) || oneClick.kind === 'failed') return false;
  const { main, inset } = oneClick.source.picture;
  return isOfDisplay(main) || (inset !== undefined && isOfDisplay(inset.of));
}

function isOfDisplay(picture: PictureSource): boolean {
  const kind = picture.kind === 'page' ? picture.of : picture.kind;
  return kind === 'screen' || kind === 'window';
}
