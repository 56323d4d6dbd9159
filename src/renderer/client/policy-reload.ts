import { parseUrl } from '../../shared/parse-url.ts';

/** Reloads that didn't help are not repeated within this time, in milliseconds. */
const patienceMs = 60_000;
const storageKey = 'tallylight.policy-reload';

/** The part of a window that this uses. */
interface PolicedPage {
  document: Pick<Document, 'addEventListener' | 'removeEventListener'>;
  sessionStorage: Pick<Storage, 'getItem' | 'setItem'>;
  location: Pick<Location, 'reload'>;
}

/**
 * Reloads the page when its Content-Security-Policy blocks an origin that is allowed by now: the policy is as old as the page, and a
 * service was added since. Returns the undo.
 *
 * @param mayUse whether a new page may use this origin
 * @param wouldLose whether a reload would lose something of its user: the page then reloads at a later attempt
 */
export function reloadForPolicy(
  page: PolicedPage,
  mayUse: (origin: string) => boolean,
  wouldLose: () => boolean,
  now: () => number = Date.now,
): () => void {
  const onViolation = ({ blockedURI }: SecurityPolicyViolationEvent) => {
    const origin = parseUrl(blockedURI)?.origin;
    if (origin === undefined || isUnnameable(origin) || !mayUse(origin) || wouldLose()) return;
    const last = Number(page.sessionStorage.getItem(storageKey) ?? 0);
    if (now() - last < patienceMs) return;
    page.sessionStorage.setItem(storageKey, String(now()));
    page.location.reload();
  };
  page.document.addEventListener('securitypolicyviolation', onViolation);
  return () => page.document.removeEventListener('securitypolicyviolation', onViolation);
}

/** A policy can't name IPv6 addresses (Content Security Policy Level 3, `host-source`): no new page may use them either. */
const isUnnameable = (origin: string) => origin.includes('[');
