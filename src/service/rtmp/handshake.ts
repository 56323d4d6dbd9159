import { randomBytes } from 'node:crypto';
import { RtmpProtocolError } from './protocol-error.ts';

/** The version byte of C0 and S0 (RTMP 1.0 §5.2.2). */
const version = 3;
/** First byte of a TLS connection (RFC 8446 §5.1). */
const tlsHandshake = 22;
/** Size of C1, S1, C2 and S2 in bytes (RTMP 1.0 §5.2.3, §5.2.4). */
const packetBytes = 1536;

/** The peer's first byte isn't RTMP's. */
export class NotRtmpError extends RtmpProtocolError {
  readonly firstByte: number;

  constructor(message: string, firstByte: number) {
    super(message);
    this.firstByte = firstByte;
  }
}

/** The peer starts a TLS connection, as for `rtmps:`. */
export class TlsError extends NotRtmpError {}

/** The result of a handshake step: bytes to send, and, once the handshake is complete, the bytes after it. */
export interface HandshakeStep {
  reply: Buffer | undefined;
  rest: Buffer | undefined;
}

/** One end of the handshake, fed with bytes as they arrive, in pieces of any size. Single use. */
export interface Handshake {
  /** The bytes that this end sends first: C0 and C1 from a client, none from a server. */
  readonly opening: Buffer | undefined;
  /** @throws {RtmpProtocolError} when the peer does not speak RTMP version 3 */
  push(bytes: Buffer): HandshakeStep;
}

/**
 * The server's side (RTMP 1.0 §5.2).
 *
 * The second field of S1 is zero, which tells clients with digests that this is the plain handshake. S2 is an exact copy of C1, which
 * those clients compare. C2 is not checked: clients with digests send something else there.
 */
export function createServerHandshake(): Handshake {
  return createHandshake('client', undefined, (c1) => Buffer.concat([formatFirstPackets(), c1]));
}

/** The client's side (RTMP 1.0 §5.2). C2 is an exact copy of S1; S2 is not checked. */
export function createClientHandshake(): Handshake {
  return createHandshake('server', formatFirstPackets(), (s1) => s1);
}

function createHandshake(
  peer: 'client' | 'server',
  opening: Buffer | undefined,
  answer: (packet: Buffer) => Buffer,
): Handshake {
  const first = Buffer.alloc(1 + packetBytes);
  let received = 0;
  return {
    opening,
    push(bytes) {
      const fromVersionByte = received === 0 ? bytes[0] : undefined;
      if (fromVersionByte === tlsHandshake) throw new TlsError('The peer speaks TLS, not RTMP.', tlsHandshake);
      if (fromVersionByte !== undefined && fromVersionByte !== version) {
        throw new NotRtmpError(
          `The ${peer} does not speak RTMP: its first byte is ${fromVersionByte}, not ${version}.`,
          fromVersionByte,
        );
      }
      const before = received;
      received += bytes.length;
      if (before < first.length) bytes.copy(first, before);
      return {
        reply: before < first.length && received >= first.length ? answer(first.subarray(1)) : undefined,
        rest: received >= first.length + packetBytes ? bytes.subarray(first.length + packetBytes - before) : undefined,
      };
    },
  };
}

/** C0 and C1, or S0 and S1: version, time 0, four zero bytes, random bytes. */
function formatFirstPackets(): Buffer {
  return Buffer.concat([Buffer.from([version]), Buffer.alloc(8), randomBytes(packetBytes - 8)]);
}
