import { secretFragment } from '../../shared/page-session.ts';

const key = 'tallylight.session';

/**
 * The secret that lets this page speak the contract. It comes in the fragment of the URL that the page is first opened with, is
 * taken out of the address bar, and kept for the tabs of this origin, which no other port of the computer shares.
 *
 * Undefined in a browser that was never opened with the printed URL.
 */
export function takePageSession({ location, history, localStorage }: Window): string | undefined {
  if (location.hash.startsWith(secretFragment)) {
    localStorage.setItem(key, location.hash.slice(secretFragment.length));
    history.replaceState(null, '', location.pathname);
  }
  return localStorage.getItem(key) ?? undefined;
}
