import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ownSoftware } from '../lib/own-software.ts';
import { isOwnPublisher } from './own-publisher.ts';

beforeEach(() => {
  const own = { address: '198.51.100.5', internal: false } as os.NetworkInterfaceInfo;
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: [own] });
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

test.each([
  [ownSoftware, '127.0.0.1', true],
  [ownSoftware, '::1', true],
  [ownSoftware, '198.51.100.5', true],
  [ownSoftware, '::ffff:198.51.100.5', true],
  [ownSoftware, '192.0.2.7', false],
  ['FMLE/3.0', '127.0.0.1', false],
  ['FMLE/3.0', '198.51.100.5', false],
  [undefined, '127.0.0.1', false],
])("%s from %s: this computer's own publisher? %s", (software, remoteAddress, isOwn) => {
  expect(isOwnPublisher({ software, remoteAddress })).toBe(isOwn);
});
