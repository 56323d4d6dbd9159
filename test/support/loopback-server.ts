import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Lets a server listen at a loopback address, by default at any port. Closing it destroys these sockets first. */
export async function listenOnLoopback(server: Server, sockets: ReadonlySet<Socket>, host = '127.0.0.1', port = 0) {
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
