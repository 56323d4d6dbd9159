import type { ServerResponse } from 'node:http';

/**
 * Calls `start` once all earlier requests of the connection are answered (pipelining, RFC 9112 §9.3.2): at once if there are none, never
 * if the connection closes first. A request that has not been started is freed with its connection.
 *
 * If it started earlier, it would hold its resources, such as an open file, for as long as the answers before it take. Before
 * Node 24 had the fix of nodejs/node#62534 it held them for good if the connection closed meanwhile: its answer never emitted
 * `close`.
 */
export function startInTurn(answer: ServerResponse, start: () => void): void {
  if (answer.socket) {
    start();
    return;
  }
  answer.once('socket', (socket) => {
    // Node flushes the answer right after this event: one that ends in between would emit `prefinish` twice.
    process.nextTick(() => {
      if (!socket.destroyed) start();
    });
  });
}
