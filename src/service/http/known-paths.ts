import type { FastifyInstance } from 'fastify';

/** Which methods a path has, asked where none of the routes fits. */
export interface KnownPaths {
  /** The methods of the routes that fit the path, in alphabetical order; empty when none does. */
  findMethods(path: string): string[];
}

/** Watches the routes of a server as they are added. Called before the first of them. */
export function watchRoutes(app: FastifyInstance): KnownPaths {
  const routes: { pattern: RegExp; methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    // A catch-all (the UI's files) does not make every path a known one.
    if (url !== '*' && url !== '/*') routes.push({ pattern: parsePattern(url), methods: [method].flat() });
  });
  return {
    findMethods(path) {
      const methods = routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
      return [...new Set(methods)].sort();
    },
  };
}

/** A route's URL as a pattern: `:name` is one part of a path, `*` the rest of it. */
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
