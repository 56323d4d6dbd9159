import { appPlace } from '../../shared/model/page-capture.ts';
import { isDesktopPage } from './is-desktop-page.ts';

const key = 'tallylight.capture-place';

/** Where captures ordered on this page run: in the app's capture window, or in the capture tab of this browser. */
export function findCapturePlace(page: Window): string {
  if (isDesktopPage(page)) return appPlace;
  const known = page.localStorage.getItem(key);
  if (known !== null) return known;
  const made = `browser-${page.crypto.getRandomValues(new Uint32Array(3)).join('-')}`;
  page.localStorage.setItem(key, made);
  return made;
}
