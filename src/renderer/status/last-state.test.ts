import { expect, test } from 'vitest';
import { describeAir, noContact } from './air-status.ts';
import { describeLastState } from './last-state.ts';

test('the last known state has its age; without one, nothing is said', () => {
  const onAir = describeAir({ air: { kind: 'on-air', since: 1, sessionId: 's' } });
  expect([describeLastState(onAir, 1_000, 6_200), describeLastState(noContact, 1_000, 6_200)]).toEqual([
    'was on air 5.2\u00a0s ago',
    undefined,
  ]);
});
