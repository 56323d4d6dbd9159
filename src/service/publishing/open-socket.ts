import { isIP, type LookupFunction, type Socket } from 'node:net';
import { rootCertificates, connect as startTls, type TLSSocket } from 'node:tls';
import { explainConnectError } from './connect-failure.ts';
import { connectFirst } from './connect-first.ts';
import { PublishError } from './publish-error.ts';
import { explainTlsError } from './tls-failure.ts';

/**
 * Opens a TCP connection to the first address of the host that answers, IPv6 and IPv4 in turn. Aborting rejects.
 *
 * @param options.lookup resolves the host's name; by default the system does
 * @param options.wasFound whether the host was reached before
 * @throws {PublishError}
 */
export async function openSocket(
  host: string,
  port: number,
  { lookup, wasFound = false, signal }: { lookup?: LookupFunction | undefined; wasFound?: boolean; signal: AbortSignal },
): Promise<Socket> {
  try {
    return (await connectFirst(host, port, { lookup, signal })).socket;
  } catch (error) {
    throw new PublishError('unreachable', explainConnectError(error, { host, port, wasFound }), { cause: error });
  }
}

/**
 * Starts TLS on a connection: the certificate must be valid for the host, and a name is sent as SNI (RFC 6066 §3, which excludes
 * addresses). Aborting rejects; whenever it rejects, the socket is destroyed.
 *
 * @param authorities certificates of more authorities to trust, in PEM
 * @throws {PublishError}
 */
export async function secureSocket(
  socket: Socket,
  host: string,
  { authorities = [], signal }: { authorities?: readonly string[]; signal: AbortSignal },
): Promise<TLSSocket> {
  // TLS reports the errors of the connection below it.
  socket.on('error', () => {});
  const secure = startTls({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(authorities.length > 0 && { ca: [...rootCertificates, ...authorities] }),
  });
  try {
    await untilSecure(secure, signal);
    return secure;
  } catch (error) {
    throw new PublishError('unreachable', explainTlsError(error, host), { cause: error });
  }
}

async function untilSecure(socket: TLSSocket, signal: AbortSignal): Promise<void> {
  const destroy = () => socket.destroy(new Error('Connecting was aborted.'));
  if (signal.aborted) destroy();
  signal.addEventListener('abort', destroy, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', () => {
        socket.off('error', reject);
        resolve();
      });
      socket.once('error', reject);
    });
  } catch (error) {
    socket.destroy();
    // Ignore late errors: nobody listens any more.
    socket.on('error', () => {});
    throw error;
  } finally {
    signal.removeEventListener('abort', destroy);
  }
}
