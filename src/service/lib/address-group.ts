import { BlockList, isIPv6, type Socket } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const unspecified = new BlockList();
unspecified.addAddress('0.0.0.0', 'ipv4');
unspecified.addAddress('::', 'ipv6');

/**
 * The unit that per-address limits count by: the address itself or, for IPv6, its first four groups, since an IPv6 host owns a /64.
 * An IPv4-mapped address (`::ffff:192.0.2.1`) counts as its IPv4 address.
 */
export function groupAddress(address: string): string {
  const plain = toPlainAddress(address);
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = (plain.split('%')[0] ?? '').split('::');
  const headGroups = head === '' ? [] : head.split(':');
  if (tail === undefined) return headGroups.slice(0, 4).join(':');
  const tailGroups = tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(Math.max(0, 8 - headGroups.length - tailGroups.length)).fill('0');
  return [...headGroups, ...zeros, ...tailGroups].slice(0, 4).join(':');
}

/** Whether the peer is on this computer. */
export function isLoopback(address: string): boolean {
  return isIn(loopback, address);
}

/** Whether it is the unspecified address (RFC 4291 §2.5.2 for IPv6). */
export function isUnspecified(address: string): boolean {
  return isIn(unspecified, address);
}

/** An IPv4-mapped address is found as its IPv4 address. */
function isIn(list: BlockList, address: string): boolean {
  const plain = toPlainAddress(address);
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}

/** Whether the peer is on this computer, even if it connected to a network address: then both ends have the same address. */
export function isFromThisComputer({ remoteAddress, localAddress }: Pick<Socket, 'remoteAddress' | 'localAddress'>): boolean {
  return remoteAddress !== undefined && (isLoopback(remoteAddress) || remoteAddress === localAddress);
}

/** An IPv4-mapped IPv6 address as its IPv4 address, any other as it is. */
export function toPlainAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
