import { secretFragment } from '../../shared/page-session.ts';

/** The key of the secret that the service has accepted, for all tabs of this origin; other ports of this computer are other origins. */
const key = 'tallylight.session';
/** The key of a secret from an address until the service has judged it: anybody can make a link with a secret. */
const candidateKey = 'tallylight.session-candidate';

/** The secrets with which this browser may open the contract. */
export interface PageSession {
  /** The one to try next: the candidate before the accepted one; undefined if there is none. */
  findSecret(): string | undefined;
  /** The service has opened the contract with it. */
  accept(secret: string): void;
  /** The service knows no session with it. A candidate is dropped then; what was once accepted stays. */
  refuse(secret: string): void;
}

/** The part of a window that keeps its session. */
interface SessionPage {
  location: Pick<Location, 'hash' | 'pathname'>;
  history: Pick<History, 'replaceState'>;
  localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
}

/**
 * Opens the session that all tabs of this origin share. A secret in the fragment of the page's URL leaves the address bar and becomes the
 * candidate, in place of an earlier one.
 */
export function openPageSession({ location, history, localStorage }: SessionPage): PageSession {
  if (location.hash.startsWith(secretFragment)) {
    const secret = location.hash.slice(secretFragment.length);
    if (isSecret(secret)) localStorage.setItem(candidateKey, secret);
    history.replaceState(null, '', location.pathname);
  }
  return {
    findSecret: () => localStorage.getItem(candidateKey) ?? localStorage.getItem(key) ?? undefined,
    accept(secret) {
      if (localStorage.getItem(candidateKey) !== secret) return;
      localStorage.setItem(key, secret);
      localStorage.removeItem(candidateKey);
    },
    // Another tab may have a newer candidate by now.
    refuse(secret) {
      if (localStorage.getItem(candidateKey) === secret) localStorage.removeItem(candidateKey);
    },
  };
}

/** Whether it looks like a secret of the service: other texts may be invalid as subprotocols, so that no socket could be opened with them. */
function isSecret(text: string): boolean {
  return /^[\w-]+$/.test(text);
}
