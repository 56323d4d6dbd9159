import { expect, test } from 'vitest';
import type { AirState } from '../../shared/model/live.ts';
import { titleEndedByNewKey, titleRunning } from './running-title.ts';

const onAir: AirState = { kind: 'on-air', since: 1, sessionId: 's' };

test('a broadcast that has lost its encoder waits for another program, and reconnects only if Go live sends it', () => {
  const air: AirState = { kind: 'reconnecting', since: 1, sessionId: 's', lostAt: 2, until: 3 };
  const waiting = 'A broadcast is waiting for its encoder';
  const reconnecting = 'A broadcast is reconnecting';
  expect(titleRunning({ air })).toBe(waiting);
  expect(titleRunning({ air, oneClick: 'failed' })).toBe(waiting);
  for (const oneClick of ['starting', 'running', 'retrying'] as const) {
    expect(titleRunning({ air, oneClick })).toBe(reconnecting);
  }
});

test('a broadcast that was stopped is ending, also while its remote service is slow to end it', () => {
  const air: AirState = { kind: 'reconnecting', since: 1, sessionId: 's', lostAt: 2 };
  expect(titleRunning({ air, oneClick: 'stopping' })).toBe('A broadcast is ending');
  expect(titleRunning({ air: { ...air, isEndedHere: true } })).toBe('A broadcast is ending');
});

test('a new key may end the broadcast of another program, but not one of Go live, which continues with it', () => {
  expect(titleEndedByNewKey({ air: onAir })).toBe('This stream is on air');
  expect(titleEndedByNewKey({ air: onAir, oneClick: 'failed' })).toBe('This stream is on air');
  expect(titleEndedByNewKey({ air: onAir, oneClick: 'running' })).toBeUndefined();
  expect(titleEndedByNewKey({ air: { kind: 'off-air' } })).toBeUndefined();
});
