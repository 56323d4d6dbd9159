import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

let known: readonly NetworkInterfaceInfo[] = [];

/**
 * The addresses of this computer, loopback among them. If the system doesn't list them, as in some sandboxes or without a free file
 * descriptor, they are those that it listed last.
 */
export function listOwnAddresses(): readonly NetworkInterfaceInfo[] {
  try {
    known = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  } catch {
    // Only the last list is left.
  }
  return known;
}
