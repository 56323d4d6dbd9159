import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A local TCP proxy whose network can be made bad. */
export interface StallableProxy extends AsyncDisposable {
  port: number;
  /** When a client's media was last forwarded, in epoch milliseconds; undefined before the first. */
  readonly mediaAt: number | undefined;
  /** Stops reading from the client, as when the network is gone. */
  stall(): void;
  /** Reads what the client sends and discards it, like a dead server on a live network. */
  loseAll(): void;
  resume(): void;
}

/** What an RTMP client sends before any media: its handshake (3,073 bytes) and its commands. */
const helloBytes = 4_096;

export async function startStallableProxy(targetPort: number): Promise<StallableProxy> {
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let losesAll = false;
  let mediaAt: number | undefined;
  const server = createServer({ noDelay: true }, (client) => {
    const target = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    clients.add(client);
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    // What a client sent before it closed is in flight, and arrives.
    client.on('close', (isBroken) => (isBroken ? target.destroy() : target.end()));
    target.on('close', () => client.destroy());
    client.on('data', (bytes) => {
      if (losesAll) return;
      target.write(bytes);
      if (client.bytesRead > helloBytes) mediaAt = Date.now();
    });
    target.on('data', (bytes) => client.write(bytes));
    client.on('end', () => target.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get mediaAt() {
      return mediaAt;
    },
    stall: () => {
      for (const client of clients) client.pause();
    },
    loseAll: () => {
      losesAll = true;
    },
    resume: () => {
      losesAll = false;
      for (const client of clients) client.resume();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
