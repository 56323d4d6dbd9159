import { useSyncExternalStore } from 'react';
import { formatRoute, parseRoute, type Route } from '../routing/route.ts';

/** Whether the page stays where it is instead of going to this hash. */
type Hold = (hash: string) => boolean;

const listeners = new Set<() => void>();
let hold: Hold | undefined;
/** The hash whose place shows: the location's, unless that is held back. */
let shown: string | undefined;

function readHash(): string {
  shown ??= window.location.hash;
  return shown;
}

function follow(): void {
  const { hash } = window.location;
  if (hash === readHash()) return;
  if (hold?.(hash) === true) {
    window.history.pushState(null, '', readHash());
    return;
  }
  shown = hash;
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('hashchange', follow);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('hashchange', follow);
  };
}

/** The place the location's hash names, kept current. */
export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(subscribe, readHash));
}

/** Goes to a place; the browser's Back leads out of it again. */
export function goTo(route: Route): void {
  window.location.hash = formatRoute(route);
}

/** Asks `next` before the page goes anywhere, whatever leads there: a link, a button, Back. Answers its undo. */
export function holdRoute(next: Hold): () => void {
  hold = next;
  return () => {
    if (hold === next) hold = undefined;
  };
}
