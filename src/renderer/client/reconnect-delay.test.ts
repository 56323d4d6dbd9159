import { expect, test } from 'vitest';
import { reconnectDelayMs } from './reconnect-delay.ts';

test('retries start quickly and settle at five seconds', () => {
  expect([0, 1, 2, 5, 8, 10_000].map(reconnectDelayMs)).toEqual([250, 375, 563, 1898, 5000, 5000]);
});
