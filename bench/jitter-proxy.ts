import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A TCP proxy that delays what the target sends by up to `mostMs`, at random and in order, as a busy wireless network does. */
export async function startJitterProxy(targetPort: number, mostMs: number): Promise<AsyncDisposable & { port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const target = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    }
    client.pipe(target);
    let sent = Promise.resolve();
    const delay = (send: () => void) => {
      const arrived = sleep(Math.random() * mostMs);
      sent = sent.then(() => arrived).then(send);
    };
    target.on('data', (bytes) => delay(() => client.write(bytes)));
    target.once('end', () => delay(() => client.end()));
    client.once('close', () => target.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
