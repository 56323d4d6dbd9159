import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** Listens, and then blocks its thread until it is released, so that nothing is accepted. */
const listenAndBlock = `
  const { parentPort, workerData: { host, port, queued, answer, revived } } = require('node:worker_threads');
  // A queue of 1 holds two.
  require('node:net').createServer((socket) => answer && socket.end(answer)).listen({ host, port, backlog: queued - 1 }, () => {
    parentPort.postMessage('listening');
    Atomics.wait(revived, 0, 0);
  });
`;

/**
 * Makes a port of a loopback address dead: a connection to it is neither accepted nor refused, as behind a firewall that drops
 * packets. A listener's queue of connections is full, so the system drops new requests.
 *
 * After `revive` it accepts. Earlier clients are connected when they resend their request, a second after their first packet, as at the
 * far end of a slow network.
 *
 * @param queued how many connections the queue holds: at least as many as ask side by side before it is revived
 * @param answer the bytes to send on each connection before closing it; by default nothing is sent
 */
export async function startDeadAddress(
  host: string,
  port: number,
  { queued = 2, answer }: { queued?: number; answer?: string } = {},
) {
  const revived = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(listenAndBlock, { eval: true, workerData: { host, port, queued, answer, revived } });
  const sockets: Socket[] = [];
  await once(worker, 'message');
  for (let count = 0; count < queued; count += 1) {
    const socket = connect({ host, port });
    socket.on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
  }
  return {
    revive() {
      Atomics.store(revived, 0, 1);
      Atomics.notify(revived, 0);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await worker.terminate();
    },
  };
}
