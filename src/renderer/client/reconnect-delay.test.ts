import { expect, test } from 'vitest';
import { reconnectDelayMs } from './reconnect-delay.ts';

test('attempts start quickly and settle at five seconds, however many there were', () => {
  expect([0, 1, 2, 5, 8, 10_000].map(reconnectDelayMs)).toEqual([250, 375, 563, 1898, 5000, 5000]);
});
