import { parseStreamRef } from '../../shared/model/stream-ref.ts';

/** A screen in the app, as named by the location's hash. Streams are those of a remote service with a `serviceId`, else our own. */
export type Route =
  | { kind: 'streams'; serviceId?: string }
  | { kind: 'new-stream'; serviceId?: string }
  | { kind: 'edit-stream'; streamId: string }
  | { kind: 'studio'; streamId: string }
  /** The tally view of a stream, or without one, of the most urgent stream; with a `serviceId`, of that service's too. */
  | { kind: 'tally'; streamId?: string; serviceId?: string }
  | { kind: 'regions' }
  | { kind: 'settings' };

/** The route a hash names; unknown ones are Streams. */
export function parseRoute(hash: string): Route {
  const [screen, id, action, detail] = hash.replace(/^#\/?/, '').split('/');
  if (screen === 'regions') return { kind: 'regions' };
  if (screen === 'settings') return { kind: 'settings' };
  if (screen === 'tally') return id ? { kind: 'tally', streamId: decode(id) } : { kind: 'tally' };
  if (screen === 'studio' && id) return { kind: 'studio', streamId: decode(id) };
  if (screen === 'services' && id && action === 'tally') return { kind: 'tally', serviceId: decode(id) };
  if (screen === 'services' && id && action === 'streams') {
    return { kind: detail === 'new' ? 'new-stream' : 'streams', serviceId: decode(id) };
  }
  if (screen === 'streams' && id === 'new') return { kind: 'new-stream' };
  if (screen === 'streams' && id && action === 'edit') return { kind: 'edit-stream', streamId: decode(id) };
  return { kind: 'streams' };
}

/** The hash of a route, such that `parseRoute(formatRoute(route))` equals `route`. */
export function formatRoute(route: Route): string {
  switch (route.kind) {
    case 'streams':
      return formatList(route.serviceId);
    case 'new-stream':
      return `${formatList(route.serviceId)}/new`;
    case 'edit-stream':
      return `#/streams/${encodeURIComponent(route.streamId)}/edit`;
    case 'studio':
      return `#/studio/${encodeURIComponent(route.streamId)}`;
    case 'tally':
      if (route.streamId !== undefined) return `#/tally/${encodeURIComponent(route.streamId)}`;
      return route.serviceId === undefined ? '#/tally' : `#/services/${encodeURIComponent(route.serviceId)}/tally`;
    case 'regions':
      return '#/regions';
    case 'settings':
      return '#/settings';
  }
}

function formatList(serviceId: string | undefined): string {
  return serviceId === undefined ? '#/streams' : `#/services/${encodeURIComponent(serviceId)}/streams`;
}

/** The remote service that a screen is about; undefined for this computer, and for screens that aren't about one. */
export function findServiceId(route: Route): string | undefined {
  switch (route.kind) {
    case 'streams':
    case 'new-stream':
      return route.serviceId;
    case 'edit-stream':
    case 'studio':
      return parseStreamRef(route.streamId).serviceId;
    case 'tally':
      return route.streamId === undefined ? route.serviceId : parseStreamRef(route.streamId).serviceId;
    default:
      return undefined;
  }
}

/** The list that a screen belongs to: that of its service. */
export function listOf(route: Route): Route {
  return inService('streams', findServiceId(route));
}

/** The tally view for a screen: of its stream, or of the most urgent one of its service. */
export function tallyOf(route: Route): Route {
  if (route.kind === 'studio') return { kind: 'tally', streamId: route.streamId };
  const serviceId = findServiceId(route);
  return { kind: 'tally', ...(serviceId !== undefined && { serviceId }) };
}

/** A screen of a service: a remote one's, or this computer's. */
export function inService(kind: 'streams' | 'new-stream', serviceId: string | undefined): Route {
  return serviceId === undefined ? { kind } : { kind, serviceId };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
