import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { rootCertificates, connect as startTls, type TLSSocket } from 'node:tls';
import { explainConnectError } from './connect-failure.ts';
import { PublishError } from './publish-error.ts';
import { explainTlsError } from './tls-failure.ts';

/**
 * How long each address of a name has before the next one's turn. Happy Eyeballs recommends 250 ms (RFC 8305 §5), but keeps the earlier
 * attempts; Node ends them, so slow networks need more. The last address has no limit of its own.
 */
const attemptTimeoutMs = 500;

/** A socket that connects to the first address of the host that answers, IPv6 and IPv4 in turn. */
export function startConnecting(host: string, port: number, lookup: LookupFunction | undefined): Socket {
  return connect({
    host,
    port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
    ...(lookup && { lookup }),
  });
}

/**
 * Opens a TCP connection to the first address of the host that answers, IPv6 and IPv4 in turn. Aborting rejects.
 *
 * @param lookup resolves the host's name; by default the system does
 * @throws {PublishError}
 */
export async function openSocket(
  host: string,
  port: number,
  { lookup, signal }: { lookup?: LookupFunction | undefined; signal: AbortSignal },
): Promise<Socket> {
  const socket = startConnecting(host, port, lookup);
  try {
    await untilOpen(socket, 'connect', signal);
    return socket;
  } catch (error) {
    throw new PublishError('unreachable', explainConnectError(error, { host, port }), { cause: error });
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
    await untilOpen(secure, 'secureConnect', signal);
    return secure;
  } catch (error) {
    throw new PublishError('unreachable', explainTlsError(error, host), { cause: error });
  }
}

async function untilOpen(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  const destroy = () => socket.destroy(new Error('Connecting was aborted.'));
  if (signal.aborted) destroy();
  signal.addEventListener('abort', destroy, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(event, () => {
        socket.off('error', reject);
        resolve();
      });
      socket.once('error', reject);
    });
  } catch (error) {
    socket.destroy();
    // A late error has no one to hear it.
    socket.on('error', () => {});
    throw error;
  } finally {
    signal.removeEventListener('abort', destroy);
  }
}
