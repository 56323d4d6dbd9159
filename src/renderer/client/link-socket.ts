import type { RPCLinkOptions } from '@orpc/client/websocket';

type LinkedSocket = RPCLinkOptions<object>['websocket'];

/**
 * The socket for oRPC to send over. A message to a closing socket is dropped: a call fails anyway once the socket has closed, and a
 * cancellation, which nobody awaits, has nothing left to cancel. oRPC itself would throw in both cases.
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
