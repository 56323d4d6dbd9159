import type { FastifyInstance } from 'fastify';

/** Finds the methods of a path when no route matched. */
export interface KnownPaths {
  /** The methods of the routes that match the path, in alphabetical order; empty if none does. The path's percent-encoding is valid. */
  findMethods(path: string): string[];
}

/** Collects the routes of a server as they are added. Call it before adding the first one. */
export function watchRoutes(app: FastifyInstance): KnownPaths {
  const routes: { pattern: RegExp; methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    // A catch-all route (the UI's files) must not make every path known.
    if (url !== '*' && url !== '/*') routes.push({ pattern: parsePattern(url), methods: [method].flat() });
  });
  return {
    findMethods(path) {
      // As the router does: all characters but those that divide a URL.
      const decoded = decodeURI(path);
      const methods = routes.filter(({ pattern }) => pattern.test(decoded)).flatMap(({ methods }) => methods);
      return [...new Set(methods)].sort();
    },
  };
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
