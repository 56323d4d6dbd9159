import { secretFragment } from '../../shared/page-session.ts';

const key = 'tallylight.session';

/**
 * Takes the secret that lets this page speak the contract out of the fragment of the URL that the page is first opened with, and
 * so out of the address bar, and keeps it for all tabs of this origin, which no other port of the computer shares.
 */
export function takePageSession({ location, history, localStorage }: Window): void {
  if (!location.hash.startsWith(secretFragment)) return;
  localStorage.setItem(key, location.hash.slice(secretFragment.length));
  history.replaceState(null, '', location.pathname);
}

/** The secret of the newest session that a tab of this origin has begun; undefined where none was. */
export function findPageSecret({ localStorage }: Window): string | undefined {
  return localStorage.getItem(key) ?? undefined;
}
