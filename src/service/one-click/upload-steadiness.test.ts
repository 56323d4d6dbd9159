import { expect, test } from 'vitest';
import { UploadSteadiness } from './upload-steadiness.ts';

test('an upload is steady since it was connected, or since it last dropped a frame', () => {
  const steadiness = new UploadSteadiness();
  steadiness.connected(1_000);
  steadiness.note(0, 1_500);
  expect([steadiness.steadySinceMs, steadiness.recentDrops(1_500)]).toEqual([1_000, 0]);
  steadiness.note(12, 20_000);
  steadiness.note(12, 20_500);
  expect([steadiness.steadySinceMs, steadiness.recentDrops(20_500)]).toEqual([20_000, 12]);
  steadiness.connected(30_000);
  steadiness.note(12, 79_999);
  expect([steadiness.steadySinceMs, steadiness.recentDrops(79_999)]).toEqual([30_000, 12]);
  steadiness.note(12, 81_000);
  expect(steadiness.recentDrops(81_000)).toBe(0);
});
