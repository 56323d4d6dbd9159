import { expect, test } from 'vitest';
import type { StreamView } from '../../shared/model/views.ts';
import { findNewlyLost } from './find-lost.ts';

const stream = (id: string, lostSessionId?: string) => ({ id, lostSessionId }) as StreamView;

test('a lost broadcast is announced once, and never if the page opened after it', () => {
  const ids = (before: StreamView[], now: StreamView[]) => findNewlyLost(before, now).map(({ id }) => id);
  expect(ids([stream('a'), stream('b')], [stream('a', 'first'), stream('b')])).toEqual(['a']);
  expect(ids([stream('a', 'first')], [stream('a', 'first')])).toEqual([]);
  expect(ids([], [stream('a', 'first')])).toEqual([]);
  expect(ids([stream('a', 'first')], [stream('a')])).toEqual([]);
});

test('a second loss counts again, even with no update in between', () => {
  expect(findNewlyLost([stream('a', 'first')], [stream('a', 'second')])).toHaveLength(1);
});
