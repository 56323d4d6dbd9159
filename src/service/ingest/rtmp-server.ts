import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { IngestBounds } from '../config.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { createSeldomWarning } from '../lib/log-seldom.ts';
import type { Clock, Logger } from '../ports.ts';
import { createTurns } from '../rtmp/rtmp-peer.ts';
import { ConnectionRoom } from './connection-room.ts';
import { createFailedKeyLimit } from './failed-key-limit.ts';
import type { PublishGate } from './publish-gate.ts';
import { PublisherConnection } from './publisher-connection.ts';

/** Lines in 10 s about connections that never published. */
const maxWarnings = 50;

export interface RtmpServerOptions {
  host: string;
  /** 0 is any free port. */
  port: number;
  bounds: IngestBounds;
  gate: PublishGate;
  log: Logger;
  clock: Pick<Clock, 'monotonicMs'>;
}

/** The RTMP ingest, listening. */
export interface RtmpServer {
  readonly port: number;
  readonly connectionCount: number;
  /** Why no further publisher is taken, in a sentence; undefined while one is. */
  findProblem(): string | undefined;
  /** Ends every publisher, and resolves when all sockets are gone. May be called twice. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Listens for publishers on `rtmp://host:port/live`.
 *
 * @throws the socket's own error when it cannot listen, like `EADDRINUSE` or `EACCES`.
 */
export async function startRtmpServer({ host, port, bounds, gate, log, clock }: RtmpServerOptions): Promise<RtmpServer> {
  const room = new ConnectionRoom<PublisherConnection>(bounds);
  const failedKeys = createFailedKeyLimit({ maxFailedKeys: bounds.maxFailedKeys, windowMs: bounds.failedKeysWindowMs, clock });
  const turns = createTurns();
  const warnOfFullRoom = createSeldomWarning(log, () => clock.monotonicMs());
  const warnSeldom = createSeldomWarning(log, () => clock.monotonicMs(), maxWarnings);
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 15_000 }, (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    const leaver = room.findLeaver(remoteAddress);
    if (leaver === 'full') {
      socket.destroy();
      warnOfFullRoom({ remoteAddress }, `A connection was refused: there are ${room.connections.size} already.`);
      return;
    }
    if (leaver !== 'nobody') leaver.giveUp('It has waited longest to publish, and others need its place.');
    const onAdmitted = () => room.noteKnown(remoteAddress);
    const shared = { bounds, gate, failedKeys, turns, warnSeldom, clock, log };
    const connection = new PublisherConnection({ ...shared, socket, remoteAddress, onAdmitted });
    room.add(connection);
    runHarmlessly(() => connection.gone.then(() => room.delete(connection)), 'the end of a connection');
  });
  server.listen(port, host);
  await once(server, 'listening');
  server.on('error', (error) => log.error({ err: error }, 'The RTMP ingest could not accept a connection.'));
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));

  const close = async () => {
    if (server.listening) server.close();
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
      return room.isFull ? `All ${bounds.maxConnections} connections of the RTMP ingest are taken.` : undefined;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
