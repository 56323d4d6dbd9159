import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { RegionNetwork } from '../../shared/model/region.ts';
import { toPlainAddress } from '../lib/address-group.ts';

/** Finds the region of a caller's address, if a network has it. */
export type FindRegionOfAddress = (address: string) => string | undefined;

/**
 * Prepares the lookup: among the networks that contain an address, the one with the longest prefix wins. An IPv4-mapped IPv6 address
 * (`::ffff:192.0.2.1`) is its IPv4 address, and a zone (`%eth0`) means nothing here.
 */
export function indexNetworks(networks: readonly RegionNetwork[]): FindRegionOfAddress {
  const rules = networks
    .map(({ network, region }) => {
      const [address = '', prefix] = network.split('/');
      const list = new BlockList();
      list.addSubnet(address, Number(prefix), isIPv4(address) ? 'ipv4' : 'ipv6');
      return { isIPv4: isIPv4(address), prefix: Number(prefix), list, region };
    })
    .sort((a, b) => b.prefix - a.prefix);
  return (address) => {
    const plain = toPlainAddress(address).replace(/%.*$/, '');
    const family = isIPv6(plain) ? 'ipv6' : 'ipv4';
    // Match the family ourselves: IPv4 prefixes have their own lengths, and Node would also look for IPv4 addresses in IPv6
    // networks.
    return rules.find((rule) => rule.isIPv4 === (family === 'ipv4') && rule.list.check(plain, family))?.region;
  };
}
