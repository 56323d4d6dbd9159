import { expect, test } from 'vitest';
import type { StreamView } from '../../shared/model/views.ts';
import { findNewlyLost } from './find-lost.ts';

const stream = (id: string, lost?: boolean) => ({ id, lost }) as StreamView;

test('a broadcast is told as lost once, and not where the page was opened after it', () => {
  const ids = (before: StreamView[], now: StreamView[]) => findNewlyLost(before, now).map(({ id }) => id);
  expect(ids([stream('a'), stream('b')], [stream('a', true), stream('b')])).toEqual(['a']);
  expect(ids([stream('a', true)], [stream('a', true)])).toEqual([]);
  expect(ids([], [stream('a', true)])).toEqual([]);
  expect(ids([stream('a', true)], [stream('a')])).toEqual([]);
});
