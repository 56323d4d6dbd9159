import { RPCLink } from '@orpc/client/message-port';
import { contractPortMessage } from '../../shared/contract-port.ts';
import { type Connection, createConnectionCore } from './connection.ts';

/** The contract over the MessagePort that the preload hands over; each new port replaces the one before. */
export function openPortConnection(page: Window): Connection {
  let port: MessagePort | undefined;
  const receive = (event: MessageEvent) => {
    if (event.source !== page || event.data !== contractPortMessage) return;
    const [received] = event.ports;
    if (received === undefined) return;
    port?.close();
    port = received;
    received.addEventListener('close', () => {
      if (port === received) core.lost();
    });
    const link = new RPCLink({ port: received });
    received.start();
    core.opened(link);
  };
  const core = createConnectionCore({
    now: () => Date.now(),
    onClose: () => {
      page.removeEventListener('message', receive);
      port?.close();
    },
  });
  page.addEventListener('message', receive);
  return core;
}
