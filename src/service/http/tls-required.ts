import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { isFromThisComputer } from '../lib/address-group.ts';

const servers = new WeakSet<Server>();

/** The error for clients without TLS. */
export const tlsRequired = 'Use https:// instead of http:// in the address.';

/** Marks a server that needs TLS from other computers, for requests and for WebSockets. */
export function requireTls(server: Server): void {
  servers.add(server);
}

/** Whether this connection of `server` needs TLS and has none. */
export function lacksTls(server: Server, connection: Pick<Socket, 'remoteAddress' | 'localAddress'>): boolean {
  return servers.has(server) && !(connection instanceof TLSSocket) && !isFromThisComputer(connection);
}
