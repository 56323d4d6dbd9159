import { RPCLink } from '@orpc/client/message-port';
import { contractPortMessage } from '../../shared/contract-port.ts';
import { type Connection, createConnectionCore } from './connection.ts';
import { followHeartbeat, type Heartbeat } from './heartbeat.ts';

/**
 * The contract over the MessagePort that the preload hands over; each new port replaces the previous one.
 *
 * A hanging main process doesn't close its port. Calls made meanwhile are answered on the same port when it resumes.
 */
export function openPortConnection(page: Window): Connection {
  let port: MessagePort | undefined;
  let heartbeat: Heartbeat | undefined;
  const receive = (event: MessageEvent) => {
    if (event.source !== page || event.data !== contractPortMessage) return;
    const [received] = event.ports;
    if (received === undefined) return;
    heartbeat?.end();
    port?.close();
    port = received;
    const link = new RPCLink({ port: received });
    received.start();
    core.opened(link);
    const current = followHeartbeat(core, { onSilent: (sinceMs) => core.lost(sinceMs), onBack: () => core.opened(link) });
    heartbeat = current;
    received.addEventListener('message', () => current.heard());
    received.addEventListener('close', () => {
      current.end();
      if (port === received) core.lost();
    });
  };
  const core = createConnectionCore({
    now: () => Date.now(),
    onClose: () => {
      page.removeEventListener('message', receive);
      heartbeat?.end();
      port?.close();
    },
  });
  page.addEventListener('message', receive);
  return core;
}
