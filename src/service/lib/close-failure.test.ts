import { expect, test } from 'vitest';
import { describeCloseFailure } from './close-failure.ts';

test('every part is closed though others fail, and each failure is named, the first one first', async () => {
  const closed: string[] = [];
  const parts = new AsyncDisposableStack();
  parts.defer(() => {
    closed.push('store');
  });
  parts.defer(() => Promise.reject(new Error('the ingest is stuck')));
  parts.defer(() => {
    throw new Error('the encoder is gone');
  });
  parts.defer(async () => {
    closed.push('http');
  });
  const failure = describeCloseFailure(await parts.disposeAsync().catch((error: unknown) => error));
  expect(closed).toEqual(['http', 'store']);
  expect(failure).toBeInstanceOf(AggregateError);
  expect((failure as AggregateError).message).toBe('the encoder is gone; the ingest is stuck');
});

test('one failure stays what it is', () => {
  const error = new Error('the store is locked');
  expect(describeCloseFailure(error)).toBe(error);
});
