import { createServer, type Socket } from 'node:net';
import { createServerHandshake } from '../../src/service/rtmp/handshake.ts';
import { listenOnLoopback } from './loopback-server.ts';

export interface OddServerOptions {
  host?: '127.0.0.1' | '::1' | undefined;
  /** Doesn't close its side when the client does. */
  allowHalfOpen?: boolean | undefined;
}

/** A server on loopback that runs the given code on each socket. */
export async function startOddServer(
  onSocket: (socket: Socket) => void,
  { host = '127.0.0.1', allowHalfOpen = false }: OddServerOptions = {},
) {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onSocket(socket);
  });
  return { sockets, ...(await listenOnLoopback(server, sockets, host)) };
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
