import { expect, test } from 'vitest';
import type { AirState } from '../../shared/model/live.ts';
import { titleEndedByNewKey } from './running-title.ts';

const onAir: AirState = { kind: 'on-air', since: 1, sessionId: 's' };

test('a new key may end the broadcast of another program, but not one of Go live, which continues with it', () => {
  expect(titleEndedByNewKey({ air: onAir })).toBe('This stream is on air');
  expect(titleEndedByNewKey({ air: onAir, oneClick: 'failed' })).toBe('This stream is on air');
  expect(titleEndedByNewKey({ air: onAir, oneClick: 'running' })).toBeUndefined();
  expect(titleEndedByNewKey({ air: { kind: 'off-air' } })).toBeUndefined();
});
