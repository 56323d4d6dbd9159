import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServerHandshake } from '../../src/service/rtmp/handshake.ts';

/** A server on loopback that runs the given code on each socket. */
export async function startOddServer(onSocket: (socket: Socket) => void, host: '127.0.0.1' | '::1' = '127.0.0.1') {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onSocket(socket);
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A server that shakes hands and then sends these bytes, whatever it receives. */
export function startSayingServer(bytes: Buffer) {
  return startOddServer((socket) => {
    const handshake = createServerHandshake();
    let isShaken = false;
    socket.on('data', (received: Buffer) => {
      if (isShaken) return;
      const { reply, rest } = handshake.push(received);
      if (reply !== undefined) socket.write(reply);
      if (rest === undefined) return;
      isShaken = true;
      socket.write(bytes);
    });
  });
}
