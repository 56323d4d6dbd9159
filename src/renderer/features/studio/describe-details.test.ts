import { expect, test } from 'vitest';
import type { StreamLive } from '../../../shared/model/views.ts';
import { describeDetails } from './describe-details.ts';

test('a broadcast that moves here has no exact numbers of an earlier one', () => {
  const since = 1_700_000_000_000;
  const valueAt = (measuredAt: number) => {
    const live = {
      stream: { lastSeen: since, air: { kind: 'reconnecting', since, sessionId: 'a', lostAt: since + 9_000 } },
      meters: { measuredAt, width: 1920, height: 1080 },
    } as StreamLive;
    return describeDetails(live, since + 12_000).find(({ name }) => name === 'Picture')?.value;
  };
  expect([since - 1, since].map(valueAt)).toEqual([undefined, '1920 × 1080']);
});
