import { useSyncExternalStore } from 'react';
import { createListeners } from '../../shared/listeners.ts';
import { formatRoute, parseRoute, type Route } from '../routing/route.ts';

/** Decides whether to stay instead of going to this hash. */
type Hold = (hash: string) => boolean;

const listeners = createListeners();
let hold: Hold | undefined;
/** The hash of the current screen: the location's, unless a navigation is held back. */
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
  listeners.emit();
}

function subscribe(listener: () => void): () => void {
  if (listeners.isEmpty()) window.addEventListener('hashchange', follow);
  const undo = listeners.on(listener);
  return () => {
    undo();
    if (listeners.isEmpty()) window.removeEventListener('hashchange', follow);
  };
}

/** The screen named by the location's hash, kept current. */
export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(subscribe, readHash));
}

/** Goes to a screen; the browser's Back returns. */
export function goTo(route: Route): void {
  window.location.hash = formatRoute(route);
}

/** Asks `next` before any navigation: by link, button or Back. Returns the undo. */
export function holdRoute(next: Hold): () => void {
  hold = next;
  return () => {
    if (hold === next) hold = undefined;
  };
}
