import type { WebSocket } from 'ws';

/** Ends a socket whose browser has vanished or doesn't read. */
export function watchSocket(
  socket: WebSocket,
  { pingIntervalMs, maxQueuedBytes }: { pingIntervalMs: number; maxQueuedBytes: number },
): void {
  let isThere = true;
  socket.on('pong', () => {
    isThere = true;
  });
  // A frame that breaks the protocol or the bound ends the socket by itself; but without a listener, the event would end the
  // process.
  socket.on('error', () => {});
  const timer = setInterval(() => {
    if (!isThere || socket.bufferedAmount > maxQueuedBytes) {
      socket.terminate();
      return;
    }
    isThere = false;
    socket.ping();
  }, pingIntervalMs);
  socket.on('close', () => clearInterval(timer));
}
