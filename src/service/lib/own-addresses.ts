import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

let known: readonly NetworkInterfaceInfo[] = [];

/**
 * The addresses of this computer, loopback among them. If the system doesn't list them, as in some sandboxes or without a free file
 * descriptor, returns the last list.
 */
export function listOwnAddresses(): readonly NetworkInterfaceInfo[] {
  try {
    known = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  } catch {
    // Only the last list is left.
  }
  return known;
}

/** Whether this computer is connected to any network. A system that lists no address at all counts as connected. */
export function hasOwnNetwork(): boolean {
  const addresses = listOwnAddresses();
  return addresses.length === 0 || addresses.some(({ internal, address }) => !internal && !isLinkLocal(address));
}

/** Interfaces assign themselves link-local addresses without a network, as AirDrop's and VPNs' on macOS do (RFC 4291, RFC 3927). */
function isLinkLocal(address: string): boolean {
  return /^(fe[89ab][0-9a-f]:|169\.254\.)/i.test(address);
}
