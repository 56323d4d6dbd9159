import { expect, test } from 'vitest';
import { groupAddress, isFromThisComputer, isLoopback } from './address-group.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('%s counts as %s', (address, group) => {
  expect(groupAddress(address)).toBe(group);
});

test('only 127.0.0.0/8, also IPv4-mapped, and ::1 are loopback', () => {
  const addresses = ['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1', '192.0.2.1', '::2', '::ffff:10.0.0.1', '128.0.0.1'];
  expect(addresses.filter(isLoopback)).toEqual(addresses.slice(0, 4));
});

test('a peer is on this computer if it comes by loopback, or from the address it came to', () => {
  const by = (remoteAddress: string | undefined, localAddress: string) => isFromThisComputer({ remoteAddress, localAddress });
  expect([by('127.0.0.1', '127.0.0.1'), by('::1', '::1'), by('192.168.1.5', '192.168.1.5')]).toEqual([true, true, true]);
  expect([by('192.168.1.6', '192.168.1.5'), by(undefined, '127.0.0.1')]).toEqual([false, false]);
});
