import { isLoopbackUrl } from '../../../shared/loopback-url.ts';
import { isDesktopPage, type PagePlace } from '../../client/is-desktop-page.ts';

/**
 * The note below an ingest URL that programs on other computers can't reach; undefined if they can.
 *
 * @param isElsewhere it is another service's ingest, even if that runs on this computer, too
 */
export function noteIngest(url: string, isElsewhere: boolean, page: Pick<PagePlace, 'navigator'>): string | undefined {
  if (!isLoopbackUrl(url)) return undefined;
  const note = 'Works on this computer only.';
  if (isElsewhere || !isDesktopPage(page)) return note;
  return `${note} For OBS elsewhere, run "npm run serve -- --host 0.0.0.0" instead of the app.`;
}
