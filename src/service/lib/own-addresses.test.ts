import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NetworkWatch } from './network-watch.ts';
import { hasOwnNetwork, listOwnAddresses } from './own-addresses.ts';

const system = { listed: {}, refuses: false };

beforeEach(() => {
  vi.spyOn(os, 'networkInterfaces').mockImplementation(() => {
    if (system.refuses) throw new Error('uv_interface_addresses returned Unknown system error 24');
    return system.listed;
  });
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const loopback = '127.0.0.1';
const [home, phone] = ['192.0.2.1', '198.51.100.7'].map((address) => ({ address, internal: false }));

test('addresses that the system does not list are those that it listed last', () => {
  Object.assign(system, { listed: { eth0: [home], wlan0: undefined }, refuses: false });
  expect(listOwnAddresses()).toEqual([home]);
  system.refuses = true;
  expect(listOwnAddresses()).toEqual([home]);
});

test('a network whose addresses cannot be listed for a while is neither gone nor back', () => {
  vi.useFakeTimers();
  Object.assign(system, { listed: { eth0: [home] }, refuses: false });
  let returns = 0;
  const off = new NetworkWatch().onReturn(() => {
    returns += 1;
  });
  const second = (changes: object) => {
    Object.assign(system, changes);
    vi.advanceTimersByTime(1_000);
    return returns;
  };
  expect(second({ refuses: true })).toBe(0);
  expect(second({ refuses: false })).toBe(0);
  expect(second({ listed: { eth0: [home], usb0: [phone] } })).toBe(1);
  off();
});

test.each([
  ['loopback', [loopback], false],
  ['addresses that its interfaces gave themselves', [loopback, 'fe80::1', 'febf::1', '169.254.7.1'], false],
  ['an IPv4 address', [loopback, '192.0.2.1'], true],
  ['an IPv6 address', [loopback, 'fe80::1', '2001:db8::1'], true],
  ['no address listed', [], true],
])('whether a computer has a network: %s', (_what, addresses, expected) => {
  const listed = addresses.map((address) => ({ address, internal: address === loopback }));
  Object.assign(system, { listed: { all: listed }, refuses: false });
  expect(hasOwnNetwork()).toBe(expected);
});
