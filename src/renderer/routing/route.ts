/** A place in the app, as named by the location's hash. */
export type Route =
  | { kind: 'streams' }
  | { kind: 'new-stream' }
  | { kind: 'edit-stream'; streamId: string }
  | { kind: 'studio'; streamId: string }
  /** The tally view of a stream, or without one, of the most urgent stream. */
  | { kind: 'tally'; streamId?: string }
  | { kind: 'settings' };

/** The route a hash names; unknown ones are Streams. */
export function parseRoute(hash: string): Route {
  const [place, id, action] = hash.replace(/^#\/?/, '').split('/');
  if (place === 'settings') return { kind: 'settings' };
  if (place === 'tally') return id ? { kind: 'tally', streamId: decode(id) } : { kind: 'tally' };
  if (place === 'studio' && id) return { kind: 'studio', streamId: decode(id) };
  if (place === 'streams' && id === 'new') return { kind: 'new-stream' };
  if (place === 'streams' && id && action === 'edit') return { kind: 'edit-stream', streamId: decode(id) };
  return { kind: 'streams' };
}

/** The hash of a route, such that `parseRoute(formatRoute(route))` equals `route`. */
export function formatRoute(route: Route): string {
  switch (route.kind) {
    case 'streams':
      return '#/streams';
    case 'new-stream':
      return '#/streams/new';
    case 'edit-stream':
      return `#/streams/${encodeURIComponent(route.streamId)}/edit`;
    case 'studio':
      return `#/studio/${encodeURIComponent(route.streamId)}`;
    case 'tally':
      return route.streamId === undefined ? '#/tally' : `#/tally/${encodeURIComponent(route.streamId)}`;
    case 'settings':
      return '#/settings';
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
