import { secretFragment } from '../../shared/page-session.ts';

const key = 'tallylight.session';

/**
 * Takes the secret for the contract from the fragment of the URL that first opens the page, removing it from the address bar.
 * It is stored for all tabs of this origin, which no other port of this computer shares.
 */
export function takePageSession({ location, history, localStorage }: Window): void {
  if (!location.hash.startsWith(secretFragment)) return;
  localStorage.setItem(key, location.hash.slice(secretFragment.length));
  history.replaceState(null, '', location.pathname);
}

/** The secret of the newest session started by a tab of this origin; undefined if there is none. */
export function findPageSecret({ localStorage }: Window): string | undefined {
  return localStorage.getItem(key) ?? undefined;
}
