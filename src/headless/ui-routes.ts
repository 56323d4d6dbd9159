import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { ContractRouter } from '../service/handlers/router.ts';
import { contentSecurityPolicy } from '../shared/content-security-policy.ts';
import { ServiceError } from '../shared/errors.ts';
import { buildPath, sessionPath } from '../shared/page-session.ts';
import { serveContractSocket } from './contract-socket.ts';
import { formatRefusalPage, refusalPolicy } from './refusal-page.ts';
import { formatSignInPage, signInPolicy } from './sign-in-page.ts';
import { createUiAccess, noSession, notForUs, type UiAccess } from './ui-access.ts';
import type { UiSessions } from './ui-session.ts';

/** Headers of every answer of the UI, besides its policy. */
const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

/** The UI's files, names and origins. */
interface Ui {
  sessions: UiSessions;
  router: ContractRouter;
  /** The folder of the built page: `index.html`, `assets/`, icons. */
  folder: string;
  /** The address or name the service binds to. */
  host: string;
  /** The names in the URLs of this computer's region, which lead here from other computers. */
  ownNames: () => readonly string[];
  /** Origins besides the page's own that it may load media from. */
  serviceOrigins: () => readonly string[];
}

/**
 * Serves the UI at `/` and the contract at `/contract`, only to browsers with a session.
 *
 * A session starts at `GET /?token=…` with a one-time token, that of the printed URL or one that `tallylight address` has issued, which
 * then leaves the address bar. The token is exchanged for a cookie and a secret that the page keeps in its own origin's storage:
 * browsers send cookies to every port of a computer, and whatever listens there must not reach the contract with them. Every request
 * must name this computer in `Host`; a socket's `Origin` must be our own page, with the page's secret among its subprotocols.
 *
 * @throws {ServiceError} UNAVAILABLE when the page is not built.
 */
export async function registerUi(app: FastifyInstance, ui: Ui) {
  if (!existsSync(join(ui.folder, 'index.html'))) {
    throw new ServiceError('UNAVAILABLE', `The screens are missing from ${ui.folder}. Build them with npm run build.`);
  }
  const access = createUiAccess(ui);
  const pages: FastifyPluginAsync = async (scope) => {
    await scope.register(fastifyStatic, { root: ui.folder, serve: false });
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers({ ...securityHeaders, 'Content-Security-Policy': contentSecurityPolicy(ui.serviceOrigins()) });
      return guard(request, reply, access);
    });
    scope.get(sessionPath, (request, reply) =>
      access.isFromPage(request.raw) ? reply.code(204).send() : refuse(reply, access, noSession),
    );
    registerFiles(scope, ui.folder, access);
    // Read now: the files of an update may replace them while this version runs.
    const names = readdirSync(ui.folder).filter((name) => name.endsWith('.html'));
    const build = names.map((name) => readFileSync(join(ui.folder, name), 'utf8')).join('');
    scope.get(buildPath, (_request, reply) => reply.type('text/plain; charset=utf-8').send(build));
  };
  await app.register(pages);
  const closeSockets = serveContractSocket(app.server, {
    router: ui.router,
    findRefusal: access.findSocketRefusal,
    onOpen: access.keepSession,
  });
  app.addHook('preClose', closeSockets);
}

/** Answers every request that may not pass, and the one that starts a session. */
async function guard(request: FastifyRequest, reply: FastifyReply, access: UiAccess) {
  if (!access.isForUs(request.raw)) return refuse(reply, access, notForUs);
  const { token } = request.query as { token?: unknown };
  if (request.method === 'GET' && request.routeOptions.url === '/' && token !== undefined) {
    const session = typeof token === 'string' ? await access.beginSession(request.raw, token) : undefined;
    if (session === undefined) {
      return refuse(
        reply,
        access,
        'This address was already used or is incomplete. Open the last one that Tallylight printed.',
      );
    }
    // Not a redirect: coming from another site's page, it would carry no SameSite=Strict cookie (RFC 6265bis, "Strict").
    reply.headers({ 'Set-Cookie': session.setCookie, 'Content-Security-Policy': signInPolicy });
    return reply.type('text/html; charset=utf-8').send(formatSignInPage(session.pageSecret));
  }
  if (access.hasSession(request.raw)) return;
  if (request.headers['sec-fetch-site'] === 'cross-site' && request.headers['sec-fetch-dest'] === 'document') {
    // A link on another site carries no SameSite=Strict cookie either; a page of our own that leads here does.
    reply.header('Refresh', '0; url=/');
  }
  return refuse(reply, access, noSession);
}

function refuse(reply: FastifyReply, access: UiAccess, sentence: string) {
  if (reply.request.headers.accept?.includes('text/html')) {
    reply.code(403).header('Content-Security-Policy', refusalPolicy);
    return reply.type('text/html; charset=utf-8').send(formatRefusalPage(sentence, access.findOrigin(reply.request.raw)));
  }
  return reply.code(403).type('text/plain; charset=utf-8').send(`${sentence}\n`);
}

/** `/`, the built files beside it, and `/assets/`, whose file names change with their content. */
function registerFiles(app: FastifyInstance, folder: string, access: UiAccess) {
  app.get('/', (request, reply) => {
    const setCookie = access.renewCookie(request.raw);
    if (setCookie !== undefined) reply.header('Set-Cookie', setCookie);
    return reply.sendFile('index.html', { cacheControl: false });
  });
  const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  for (const name of names.filter((file) => file !== 'index.html')) {
    app.get(`/${name}`, (_request, reply) => reply.sendFile(name, { cacheControl: false }));
  }
  app.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => {
    reply.header('Cache-Control', 'private, max-age=31536000, immutable');
    return reply.sendFile(`assets/${request.params['*']}`, { cacheControl: false });
  });
}
