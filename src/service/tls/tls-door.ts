import type { Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { paceWrites } from './paced-writes.ts';
import type { TlsFiles } from './tls-files.ts';
import { secureContextOf } from './tls-pair.ts';

/** The first byte of a TLS connection: the type of a handshake record (RFC 8446 §5.1). */
const handshakeRecord = 0x16;

/** The TCP connection under each encrypted one. */
const carriers = new WeakMap<Socket, Socket>();

/**
 * Bytes of an encrypted connection of a door that the operating system has accepted, handshake included; undefined for other
 * connections.
 *
 * Node counts only complete writes to an encrypted connection, and has no public access to the connection below.
 */
export function countTakenBytes(socket: Socket): number | undefined {
  const carrier = carriers.get(socket) as (Socket & { _handle?: Handle | null }) | undefined;
  const handle = carrier?._handle;
  return handle ? handle.bytesWritten - handle.writeQueueSize : undefined;
}

/** Node's counters of a TCP connection: all bytes given to it, and the bytes that the system has not accepted yet. */
interface Handle {
  bytesWritten: number;
  writeQueueSize: number;
}

export interface TlsDoorOptions {
  files: TlsFiles;
  /** How long a connection may take for its first byte, and then for its handshake. */
  handshakeTimeoutMs: number;
  /** The protocols that a client may negotiate (ALPN, RFC 7301); absent: none. */
  protocols?: string[];
  /** Whether a client that has closed its sending side may still be answered, as for the plain connections of the same server. */
  allowHalfOpen: boolean;
  /** Gets each connection that is not encrypted, with all its bytes still unread. */
  onPlain: (socket: Socket) => void;
  /** Gets each encrypted connection once its handshake is complete. It encrypts no faster than the client reads. */
  onSecure: (socket: TLSSocket) => void;
  /** Gets the reason why a handshake failed; the connection is closed afterwards. */
  onFailed?: (failure: HandshakeFailure) => void;
}

/** Why a connection was not encrypted. */
export interface HandshakeFailure {
  /** Undefined if the client is gone already. */
  remoteAddress: string | undefined;
  /** Node's code, like `ERR_SSL_TLSV1_ALERT_UNKNOWN_CA` or `ECONNRESET`. */
  code: string;
  /** The client said that it doesn't accept the certificate (an alert of RFC 8446 §6.2). */
  isCertificateRejected: boolean;
}

/** OpenSSL's names of `bad_certificate`, `unsupported_certificate`, `certificate_revoked`, `_expired` and `_unknown`, and `unknown_ca`. */
const certificateAlert = /_ALERT_(.*CERTIFICATE|UNKNOWN_CA)/;

/** Tells encrypted connections from plain ones on the same port. */
export interface TlsDoor {
  /** Takes a connection that was just accepted, before anything is read of it. */
  take(socket: Socket): void;
  /** Connections without a first byte yet, or with an incomplete handshake; the oldest first. */
  readonly waiting: readonly Socket[];
  /** Closes every waiting connection. */
  closeWaiting(): void;
}

/** Opens the door. A renewed certificate is used from the next handshake on; established connections stay. */
export function openTlsDoor({
  files,
  handshakeTimeoutMs,
  protocols,
  allowHalfOpen,
  onPlain,
  onSecure,
  onFailed,
}: TlsDoorOptions): TlsDoor {
  const waiting = new Map<string, Socket>();
  const server = createServer({
    ...secureContextOf(files.pair),
    handshakeTimeout: handshakeTimeoutMs,
    allowHalfOpen,
    ...(protocols && { ALPNProtocols: protocols }),
  });
  const stopFollowing = files.onRenewed((pair) => server.setSecureContext(secureContextOf(pair)));
  server.on('secureConnection', (socket) => {
    const key = keyOf(socket);
    const carrier = waiting.get(key);
    if (carrier) carriers.set(socket, carrier);
    waiting.delete(key);
    paceWrites(socket);
    onSecure(socket);
  });
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    const remoteAddress = findAddress(socket);
    socket.destroy();
    const code = error.code ?? error.message;
    onFailed?.({ remoteAddress, code, isCertificateRejected: certificateAlert.test(code) });
  });

  const take = (socket: Socket) => {
    const key = keyOf(socket);
    waiting.set(key, socket);
    const drop = () => socket.destroy();
    const deadline = setTimeout(drop, handshakeTimeoutMs);
    socket.once('error', drop);
    socket.once('end', drop);
    socket.once('close', () => {
      clearTimeout(deadline);
      waiting.delete(key);
    });
    socket.once('data', (bytes: Buffer) => {
      clearTimeout(deadline);
      socket.off('end', drop);
      socket.pause();
      socket.unshift(bytes);
      if (bytes[0] === handshakeRecord) {
        server.emit('connection', socket);
        return;
      }
      socket.off('error', drop);
      waiting.delete(key);
      onPlain(socket);
      socket.resume();
    });
  };
  return {
    take,
    get waiting() {
      return [...waiting.values()];
    },
    closeWaiting() {
      stopFollowing();
      for (const socket of waiting.values()) socket.destroy();
    },
  };
}

/**
 * The address of a client whose handshake failed. Most have closed the connection by now: only the TCP socket underneath still knows it,
 * and Node has no public way to get that socket.
 */
function findAddress(socket: TLSSocket & { _parent?: Socket }): string | undefined {
  return socket._parent?.remoteAddress ?? socket.remoteAddress;
}

/** Names a connection, encrypted or not: Node doesn't tell which socket an encrypted one came from. */
function keyOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
