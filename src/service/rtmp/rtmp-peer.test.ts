import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClientHandshake } from './handshake.ts';
import { RtmpPeer } from './rtmp-peer.ts';

/** A server that closes a connection once its peer has and the test says so. Its own thread runs while the test's is held up. */
const closeWhenTold = `
  const { parentPort, workerData: { told, closed } } = require('node:worker_threads');
  const server = require('node:net').createServer({ allowHalfOpen: true }, (socket) => {
    socket.resume();
    socket.once('end', () => {
      Atomics.wait(told, 0, 0);
      socket.end();
    });
    socket.once('close', () => {
      Atomics.store(closed, 0, 1);
      Atomics.notify(closed, 0);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

async function startClosingServer() {
  const [told, closed] = [new Int32Array(new SharedArrayBuffer(4)), new Int32Array(new SharedArrayBuffer(4))];
  const worker = new Worker(closeWhenTold, { eval: true, workerData: { told, closed } });
  onTestFinished(async () => void (await worker.terminate()));
  const [port] = await once(worker, 'message');
  return {
    port: port as number,
    /** Lets it close, and holds this thread up until it has. */
    close() {
      Atomics.store(told, 0, 1);
      Atomics.notify(told, 0);
      if (Atomics.wait(closed, 0, 0, 20_000) === 'timed-out') throw new Error('The server did not close.');
    },
  };
}

test('a peer that closed within the grace period has heard us, though this process was held up until after it', async () => {
  const server = await startClosingServer();
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  await once(socket, 'connect');
  const startTimer = setTimeout;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const peer = new RtmpPeer({
    socket,
    handshake: createClientHandshake(),
    bounds: { maxMessageBytes: 1_000, maxChunkStreams: 2, maxPartialBytes: 1_000 },
    maxUnsentBytes: 10_000,
    closeGraceMs: 1_000,
    handlers: { onOpen: () => {}, onMessage: () => {}, onEnd: () => {} },
  });
  const holdUp = () => {
    server.close();
    vi.advanceTimersByTime(1_000);
  };
  // The grace period ends as it does outside tests: where timers run, which is before sockets are read.
  socket.once('finish', () => startTimer(holdUp, 0));
  expect(await peer.close()).toBe(true);
});
