import type { PublisherIdentity } from '../model/refusal.ts';

/** A publisher's name and address for people: `OBS Studio 29.0.2 at 192.0.2.7`. */
export function describePublisher({ name = 'Another encoder', address }: PublisherIdentity): string {
  return `${name} ${isThisComputer(address) ? 'on this computer' : `at ${address}`}`;
}

/** Whether it is a loopback address, as sockets write it: IPv4, IPv6, or IPv4 in IPv6. */
export function isThisComputer(address: string): boolean {
  return /^(127\.|::1$|::ffff:127\.)/.test(address);
}
