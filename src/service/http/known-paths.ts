import type { FastifyInstance } from 'fastify';

/** Finds the methods of a path when no route matched. */
export interface KnownPaths {
  /** The methods of the routes that match the path of `url`, in alphabetical order; empty if none does. */
  findMethods(url: string): string[];
}

/** Collects the routes of a server as they are added. Call it before adding the first one. */
export function watchRoutes(app: FastifyInstance): KnownPaths {
  const routes: { pattern: RegExp; methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    // A catch-all route (the UI's files) must not make every path known.
    if (url !== '*' && url !== '/*') routes.push({ pattern: parsePattern(url), methods: [method].flat() });
  });
  return {
    findMethods(url) {
      const path = findPath(url);
      const methods = routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
      return [...new Set(methods)].sort();
    },
  };
}

/**
 * The path in a request's target, which may be a whole URL (RFC 9112 §3.2.2), as the router reads it: it ends before `?` and `#`, and
 * characters that don't divide a URL are decoded. The router has refused what can't be decoded.
 */
function findPath(target: string): string {
  const [path = ''] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return decodeURI(path);
}

/** Turns a route's URL into a pattern: `:name` matches one path segment, `*` the rest of the path. */
function parsePattern(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*';
    return part
      .split(/(:\w+)/)
      .map((text) => (text.startsWith(':') ? '[^/]+' : text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .join('');
  });
  return new RegExp(`^${parts.join('/')}$`);
}
