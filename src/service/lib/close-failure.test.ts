import { expect, test } from 'vitest';
import { describeCloseFailure } from './close-failure.ts';

test('every part is closed even if others fail, and failures are named in order', async () => {
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

test('a single failure is passed on unchanged', () => {
  const error = new Error('the store is locked');
  expect(describeCloseFailure(error)).toBe(error);
});
