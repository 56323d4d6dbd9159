import { expect, test } from 'vitest';
import type { StreamView } from '../../shared/model/views.ts';
import { findNewlyLost, isPast } from './find-lost.ts';

const stream = (id: string, sessionId?: string) =>
  ({ id, name: `Show ${id}`, ...(sessionId !== undefined && { lost: { sessionId, endedAt: 1 } }) }) as StreamView;

test('a lost broadcast is announced once, and never if the page opened after it', () => {
  expect(findNewlyLost([stream('a'), stream('b')], [stream('a', 'first'), stream('b')])).toEqual([
    { id: 'a', name: 'Show a', sessionId: 'first', endedAt: 1 },
  ]);
  expect(findNewlyLost([stream('a', 'first')], [stream('a', 'first')])).toEqual([]);
  expect(findNewlyLost([], [stream('a', 'first')])).toEqual([]);
  expect(findNewlyLost([stream('a'), stream('b', 'first')], [stream('a'), stream('b', 'first')])).toEqual([]);
  expect(findNewlyLost([stream('a', 'first')], [stream('a')])).toEqual([]);
});

test('a second loss counts again, even with no update in between', () => {
  expect(findNewlyLost([stream('a', 'first')], [stream('a', 'second')])).toHaveLength(1);
});

test('a loss is past after ten minutes: a page that slept through the night does not sound in the morning', () => {
  const lost = { endedAt: 1_700_000_000_000 };
  expect([600_000, 600_001].map((agoMs) => isPast(lost, lost.endedAt + agoMs))).toEqual([false, true]);
});
