import { readFile } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';
import { appOrigin, findOrigin } from './app-url.ts';

/** Content types of the files that a page may consist of; other files are not served. */
const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** The pages that the app's scheme serves. */
export interface AppPages {
  /** Absolute path of the folder of the built page. */
  folder: string;
  /** The Content-Security-Policy header for an answer made now. */
  policy: () => string;
  /** Pages made in memory, by path, like `/start-failed.html`. */
  made: ReadonlyMap<string, string>;
}

/** Answers a request of the app's own scheme from the built page's folder only; 404 for everything else. */
export async function answerAppRequest(request: Request, pages: AppPages): Promise<Response> {
  const headers = {
    'content-security-policy': pages.policy(),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };
  if (request.method !== 'GET') {
    return new Response('Only GET is supported.', { status: 405, headers: { ...headers, allow: 'GET' } });
  }
  const path = findPath(request.url);
  const body = path === undefined ? undefined : (pages.made.get(path) ?? (await findFile(pages.folder, path)));
  const contentType = path === undefined ? undefined : contentTypes[extname(path)];
  if (body === undefined || contentType === undefined) {
    return new Response('Page not found.', { status: 404, headers });
  }
  return new Response(body, { headers: { ...headers, 'content-type': contentType } });
}

/** The decoded path of one of our URLs; undefined if it isn't ours or can't be decoded. */
function findPath(url: string): string | undefined {
  if (findOrigin(url) !== appOrigin) {
    return undefined;
  }
  try {
    const path = decodeURIComponent(new URL(url).pathname);
    return path === '/' ? '/index.html' : path;
  } catch {
    return undefined;
  }
}

async function findFile(folder: string, path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = resolve(folder, `.${path}`);
  // An encoded `../` or a drive letter leaves the folder only after decoding, so check the result.
  if (path.includes('\0') || !file.startsWith(folder + sep)) {
    return undefined;
  }
  try {
    return new Uint8Array(await readFile(file));
  } catch {
    return undefined;
  }
}
