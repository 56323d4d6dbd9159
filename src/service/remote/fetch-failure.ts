import type { RemoteFailure } from '../../shared/model/remote-failure.ts';
import { unbracketHost } from '../lib/host-address.ts';
import { codeOf } from '../lib/read-error.ts';
import { explainConnectError } from '../publishing/connect-failure.ts';
import { findTlsFault } from '../publishing/tls-failure.ts';

/** The other end closed the connection before its answer was complete. The last code is for answers with a `Content-Length`. */
const closedCodes = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'];

/** Why `fetch` got no answer, from its error: Node puts the reason into `cause`. */
export function explainFetchError(error: unknown, url: URL): RemoteFailure {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = codeOf(cause) ?? 'UNKNOWN';
  const host = unbracketHost(url.hostname);
  const fault = findTlsFault(code);
  if (fault !== undefined) return { code: 'tls', fault, host, reason: code };
  if (cause instanceof Error && cause.name === 'HTTPParserError') return { code: 'not-http' };
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (cause instanceof Error && cause.message === 'bad port') return { code: 'blocked-port', port };
  if (closedCodes.includes(code)) return { code: 'closed' };
  return explainConnectError(cause, { host, port });
}
