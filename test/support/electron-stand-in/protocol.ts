import type * as Electron from 'electron';
import { app } from './app.ts';

/** Chromium doesn't know the app's schemes, so it sees each as a host in this domain. */
const standInDomain = 'electron-stand-in.test';

const standInUrl = new RegExp(`^https://([^/]+)\\.([a-z0-9+-]+)\\.${standInDomain.replaceAll('.', '\\.')}(?=[/?#]|$)`);

type Handler = Parameters<Electron.Protocol['handle']>[1];

const registered = new Set<string>();
const handlers = new Map<string, Handler>();

/** Matches every URL of an app scheme as Chromium sees it. */
export const ownSchemesPattern = `https://*.${standInDomain}/*`;

/** `tallylight://app/x` as Chromium sees it; other URLs unchanged. */
export function toChromiumUrl(url: string): string {
  const [, scheme, host, rest] = /^([a-z0-9+-]+):\/\/([^/?#]+)(.*)$/s.exec(url) ?? [];
  return scheme && registered.has(scheme) ? `https://${host}.${scheme}.${standInDomain}${rest}` : url;
}

/** The app's form of a Chromium URL: the reverse of {@link toChromiumUrl}. */
export function toAppUrl(url: string): string {
  return url.replace(standInUrl, '$2://$1');
}

/** The response of the app's handler to a URL in the app's form; undefined when its scheme has no handler. */
export async function answerRequest(url: string, init: RequestInit): Promise<Response | undefined> {
  const handler = handlers.get(new URL(url).protocol.slice(0, -1));
  return handler && ((await handler(new Request(url, init) as Parameters<Handler>[0])) as Response);
}

/** Electron's `protocol`. */
export const protocol = {
  registerSchemesAsPrivileged(schemes: Electron.CustomScheme[]): void {
    if (app.isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    if (registered.size > 0) throw new Error('protocol.registerSchemesAsPrivileged can be called only once');
    for (const { scheme, privileges } of schemes) {
      if (!privileges?.standard || !privileges.secure) throw new Error('The stand-in supports only standard, secure schemes');
      registered.add(scheme);
    }
  },
  handle(scheme: string, handler: Handler): void {
    if (!registered.has(scheme)) throw new Error(`The stand-in handles only registered schemes, not '${scheme}'`);
    handlers.set(scheme, handler);
  },
} satisfies Pick<Electron.Protocol, 'registerSchemesAsPrivileged' | 'handle'>;
