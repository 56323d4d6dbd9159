import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { IngestBounds } from '../config.ts';
import type { Clock, Logger } from '../ports.ts';
import { createFailedKeyLimit } from './failed-key-limit.ts';
import type { PublishGate } from './publish-gate.ts';
import { PublisherConnection } from './publisher-connection.ts';

export interface RtmpServerOptions {
  host: string;
  /** 0 is any free port. */
  port: number;
  bounds: IngestBounds;
  gate: PublishGate;
  log: Logger;
  clock: Clock;
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
  const connections = new Set<PublisherConnection>();
  const failedKeys = createFailedKeyLimit({ maxFailedKeys: bounds.maxFailedKeys, windowMs: bounds.failedKeysWindowMs, clock });
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 15_000 }, (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return void socket.destroy();
    const connection = new PublisherConnection({ socket, remoteAddress, bounds, gate, failedKeys, clock, log });
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
  });
  server.maxConnections = bounds.maxConnections;
  server.on('drop', (dropped) => {
    log.warn(
      { remoteAddress: dropped?.remoteAddress },
      `A connection was refused: there are ${bounds.maxConnections} already.`,
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  server.on('error', (error) => log.error({ err: error }, 'The RTMP ingest could not accept a connection.'));
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));

  const close = async () => {
    if (server.listening) server.close();
    await Promise.all([...connections].map((connection) => connection.shutDown()));
    await closed;
  };
  return {
    port: (server.address() as AddressInfo).port,
    get connectionCount() {
      return connections.size;
    },
    findProblem() {
      if (!server.listening) return 'The RTMP ingest is closed.';
      return connections.size < bounds.maxConnections
        ? undefined
        : `All ${bounds.maxConnections} connections of the RTMP ingest are taken.`;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
