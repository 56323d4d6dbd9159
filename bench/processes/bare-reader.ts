import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { answerParent } from './answer.ts';

/** The least that taking media can cost: sockets that are read, and nothing done with it. */
answerParent(async () => {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('data', () => {});
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port };
});
