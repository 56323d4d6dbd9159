import { expect, test } from 'vitest';
import { createFailedKeyLimit } from './failed-key-limit.ts';

function startLimit() {
  const clock = { time: 0, monotonicMs: () => clock.time };
  return { clock, limit: createFailedKeyLimit({ maxFailedKeys: 3, windowMs: 1000, clock }) };
}

function fail(limit: ReturnType<typeof startLimit>['limit'], address: string, times: number): void {
  for (let turn = 0; turn < times; turn += 1) limit.recordFailure(address);
}

test('after too many failures an address is limited, loopback too, and others are not', () => {
  const { limit } = startLimit();
  fail(limit, '127.0.0.1', 2);
  expect(limit.isReached('127.0.0.1')).toBe(false);
  fail(limit, '127.0.0.1', 1);
  expect(limit.isReached('127.0.0.1')).toBe(true);
  expect(limit.isReached('127.0.0.2')).toBe(false);
});

test('failures count only within the window', () => {
  const { clock, limit } = startLimit();
  fail(limit, '192.0.2.1', 2);
  clock.time = 600;
  fail(limit, '192.0.2.1', 1);
  expect(limit.isReached('192.0.2.1')).toBe(true);
  clock.time = 999;
  expect(limit.isReached('192.0.2.1')).toBe(true);
  clock.time = 1000;
  expect(limit.isReached('192.0.2.1')).toBe(false);
});

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
  ['2001:db8::1', '2001:db8:0:0:5::', true],
  ['fe80::1%eth0', 'fe80::2%eth0', true],
  ['::1', '::2', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
])('%s and %s count as one address: %s', (one, other, isSame) => {
  const { limit } = startLimit();
  fail(limit, one, 3);
  expect(limit.isReached(other)).toBe(isSame);
});

test('beyond the limit, the address that failed longest ago is forgotten', () => {
  const { limit } = startLimit();
  fail(limit, 'first', 3);
  for (let index = 0; index < 4095; index += 1) limit.recordFailure(`other ${index}`);
  expect(limit.isReached('first')).toBe(true);
  limit.recordFailure('one more');
  expect(limit.isReached('first')).toBe(false);
});
