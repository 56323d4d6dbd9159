import { useSyncExternalStore } from 'react';
import { formatRoute, parseRoute, type Route } from '../routing/route.ts';

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** The place the location's hash names, kept current. */
export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(subscribe, () => window.location.hash));
}

/** Goes to a place; the browser's Back leads out of it again. */
export function goTo(route: Route): void {
  window.location.hash = formatRoute(route);
}
