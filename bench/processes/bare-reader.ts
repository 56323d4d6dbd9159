import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { answerParent } from './answer.ts';

/** The lowest possible cost of receiving media: reads sockets and discards the data. */
answerParent(async () => {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('data', () => {});
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port };
});
