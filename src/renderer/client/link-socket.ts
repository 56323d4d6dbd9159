import type { RPCLinkOptions } from '@orpc/client/websocket';

type LinkedSocket = RPCLinkOptions<object>['websocket'];

/**
 * The socket as oRPC sends over it. Until the socket has closed, a message that it no longer takes is dropped: a call fails once it has
 * closed, and of a cancellation, which nobody awaits, nothing is left to be sent. oRPC itself would throw at both.
 */
export function linkSocket(socket: WebSocket): LinkedSocket {
  return {
    get readyState() {
      return socket.readyState === socket.CLOSING ? socket.OPEN : socket.readyState;
    },
    send(message) {
      if (socket.readyState === socket.OPEN) socket.send(message);
    },
    addEventListener: socket.addEventListener.bind(socket) as LinkedSocket['addEventListener'],
    removeEventListener: socket.removeEventListener.bind(socket) as LinkedSocket['removeEventListener'],
  };
}
