import { expect, test } from 'vitest';
import type { StreamView } from '../../shared/model/views.ts';
import { findNewlyLost } from './find-lost.ts';

const stream = (id: string, lostSessionId?: string) => ({ id, lostSessionId }) as StreamView;

test('a broadcast is told as lost once, and not where the page was opened after it', () => {
  const ids = (before: StreamView[], now: StreamView[]) => findNewlyLost(before, now).map(({ id }) => id);
  expect(ids([stream('a'), stream('b')], [stream('a', 'first'), stream('b')])).toEqual(['a']);
  expect(ids([stream('a', 'first')], [stream('a', 'first')])).toEqual([]);
  expect(ids([], [stream('a', 'first')])).toEqual([]);
  expect(ids([stream('a', 'first')], [stream('a')])).toEqual([]);
});

test('a second loss is another, also where nothing was heard in between', () => {
  expect(findNewlyLost([stream('a', 'first')], [stream('a', 'second')])).toHaveLength(1);
});
