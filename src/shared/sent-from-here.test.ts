import { expect, test } from 'vitest';
import type { AirState, OneClickState } from './model/live.ts';
import { isFailure } from './sent-from-here.ts';

test.each<[AirState['kind'], boolean]>([
  ['off-air', true],
  ['reconnecting', true],
  ['connecting', false],
  ['on-air', false],
])('a one-click broadcast that failed, while its stream is %s, counts as a failure: %s', (kind, isOne) => {
  expect(isFailure({ kind: 'failed' } as OneClickState, { kind } as AirState)).toBe(isOne);
});
