import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { IngestBounds } from '../config.ts';
import { groupAddress } from '../lib/address-group.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { createSeldomLog, createSeldomWarning } from '../lib/log-seldom.ts';
import { watchAccepting } from '../lib/watch-accepting.ts';
import type { Clock, Logger } from '../ports.ts';
import { createTurns } from '../rtmp/rtmp-peer.ts';
import { openTlsDoor } from '../tls/tls-door.ts';
import type { TlsFiles } from '../tls/tls-files.ts';
import { ConnectionRoom } from './connection-room.ts';
import type { FailedKeyLimit } from './failed-key-limit.ts';
import type { PublishGate } from './publish-gate.ts';
import { PublisherConnection } from './publisher-connection.ts';

/** Most log lines in 10 s about connections that never published. */
const maxLines = 50;

export interface RtmpServerOptions {
  host: string;
  /** 0 is any free port. */
  port: number;
  bounds: IngestBounds;
  gate: PublishGate;
  /** Shared by all doors. */
  failedKeys: FailedKeyLimit;
  /** With it, the port takes RTMPS too: RTMP inside TLS. */
  tls?: TlsFiles | undefined;
  log: Logger;
  clock: Pick<Clock, 'monotonicMs'>;
}

/** A listening RTMP ingest. */
export interface RtmpServer {
  readonly port: number;
  readonly connectionCount: number;
  /** Why no further publisher can connect, in a sentence; undefined while one can. */
  findProblem(): string | undefined;
  /** Disconnects every publisher; resolves when all sockets are gone. May be called twice. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Listens for publishers on `rtmp://host:port/live`, and with `tls` on `rtmps://host:port/live`.
 *
 * @throws the socket's own error when it cannot listen, like `EADDRINUSE` or `EACCES`.
 */
export async function startRtmpServer(options: RtmpServerOptions): Promise<RtmpServer> {
  const { host, port, bounds, gate, failedKeys, tls, log, clock } = options;
  const room = new ConnectionRoom<PublisherConnection>(bounds);
  const turns = createTurns();
  const warnOfFullRoom = createSeldomWarning(log, () => clock.monotonicMs());
  const strangersLog = createSeldomLog(log, () => clock.monotonicMs(), maxLines);
  const admit = (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    const leaver = room.findLeaver(remoteAddress);
    if (leaver === 'full') {
      socket.destroy();
      warnOfFullRoom({ remoteAddress }, `A connection was refused: ${room.connections.size} are already open.`);
      return;
    }
    if (leaver !== 'nobody') leaver.giveUp('It waited longest without publishing, and others needed the connection.');
    const connection = new PublisherConnection({
      socket,
      remoteAddress,
      bounds,
      gate,
      failedKeys,
      turns,
      onAdmitted: () => room.noteKnown(remoteAddress),
      strangersLog,
      clock,
      log,
    });
    room.add(connection);
    runHarmlessly(() => connection.gone.then(() => room.delete(connection)), 'ending a connection');
  };
  const door =
    tls &&
    openTlsDoor({
      files: tls,
      handshakeTimeoutMs: bounds.handshakeTimeoutMs,
      allowHalfOpen: false,
      onPlain: admit,
      onSecure: admit,
      onFailed: ({ remoteAddress, code, isCertificateRejected }) => {
        strangersLog.info({ remoteAddress, reason: code }, 'A TLS handshake failed.');
        if (!isCertificateRejected || remoteAddress === undefined) return;
        gate.refuseUnheard({ remoteAddress, software: undefined }, { code: 'certificate' });
      },
    });
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 15_000 }, (socket) => {
    const { remoteAddress } = socket;
    if (!door || remoteAddress === undefined) {
      admit(socket);
      return;
    }
    // As in the room, the connection that has waited longest makes room for others.
    if (door.waiting.length >= bounds.maxConnections) door.waiting[0]?.destroy();
    const group = groupAddress(remoteAddress);
    const ofAddress = door.waiting.filter((other) => other.remoteAddress && groupAddress(other.remoteAddress) === group);
    if (ofAddress.length >= room.maxWaitingOf(remoteAddress)) ofAddress[0]?.destroy();
    door.take(socket);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const findAcceptProblem = watchAccepting(server, { name: 'The RTMP ingest', log });
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));

  const close = async () => {
    if (server.listening) server.close();
    door?.closeWaiting();
    await Promise.all([...room.connections].map((connection) => connection.shutDown()));
    await closed;
  };
  return {
    port: (server.address() as AddressInfo).port,
    get connectionCount() {
      return room.connections.size;
    },
    findProblem() {
      if (!server.listening) return 'The RTMP ingest is closed.';
      return findAcceptProblem() ?? (room.isFull ? `All ${bounds.maxConnections} RTMP connections are in use.` : undefined);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
