import { expect, test } from 'vitest';
import type { StreamLive } from '../../../shared/model/views.ts';
import { listDetails } from './list-details.ts';

test('a broadcast that moves here has no exact numbers of an earlier one', () => {
  const since = 1_700_000_000_000;
  const valueAt = (measuredAt: number) => {
    const live = {
      stream: { lastSeen: since, air: { kind: 'reconnecting', since, sessionId: 'a', lostAt: since + 9_000 } },
      meters: { measuredAt, width: 1920, height: 1080 },
    } as StreamLive;
    return listDetails(live, since + 12_000).find(({ name }) => name === 'Picture')?.value;
  };
  expect([since - 1, since].map(valueAt)).toEqual([undefined, '1920 × 1080']);
});

test('a broadcast that is about to begin has no exact numbers of the one before', () => {
  const since = 1_700_000_000_000;
  const session = { sourceSegments: 95, sourceSegmentsDuration: 171, transcodedSegments: 285 };
  const live = (air: StreamLive['stream']['air']) =>
    ({
      stream: { lastSeen: since, air, profiles: [{}] },
      session,
      meters: { measuredAt: since, firstSegmentSeconds: 2.4 },
    }) as StreamLive;
  const valuesOf = (air: StreamLive['stream']['air']) => {
    const names = ['Last seen', 'Time to first picture', 'Source segments', 'Rendition segments'];
    return listDetails(live(air), since + 1_000).flatMap(({ name, value }) => (names.includes(name) ? [value] : []));
  };
  expect(valuesOf({ kind: 'connecting', since })).toEqual(Array(4).fill(undefined));
  expect(valuesOf({ kind: 'on-air', since, sessionId: 'a' })).toEqual([
    '1.0\u00a0s ago',
    '2.4\u00a0s',
    '95, 2\u00a0min 51\u00a0s in total',
    '285 of 95',
  ]);
});
