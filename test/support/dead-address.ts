import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** Listens, and then blocks its thread for good, so that nothing is ever accepted. */
const listenAndBlock = `
  const { parentPort, workerData } = require('node:worker_threads');
  require('node:net').createServer().listen({ ...workerData, backlog: 1 }, () => {
    parentPort.postMessage('listening');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/**
 * Makes a port of a loopback address dead: a connection to it is neither accepted nor refused, as behind a firewall that drops
 * packets. A listener's queue of connections is full, so the system drops whatever asks for another.
 */
export async function startDeadAddress(host: string, port: number): Promise<AsyncDisposable> {
  const worker = new Worker(listenAndBlock, { eval: true, workerData: { host, port } });
  const sockets: Socket[] = [];
  await once(worker, 'message');
  // A queue of 1 holds two.
  for (let count = 0; count < 2; count += 1) {
    const socket = connect({ host, port });
    socket.on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
  }
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await worker.terminate();
    },
  };
}
