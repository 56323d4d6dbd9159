import { expect, test } from 'vitest';
import { UploadSteadiness } from './upload-steadiness.ts';

test('an upload is steady since it was connected, or since it last dropped so much that players stall', () => {
  const steadiness = new UploadSteadiness(30);
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

test('two fifths of a second in a row are seen, one frame less is not', () => {
  const steadiness = new UploadSteadiness(30);
  steadiness.connected(1_000);
  for (const [index, dropped] of [11, 11, 22, 22].entries()) steadiness.note(dropped, 1_500 + 500 * index);
  expect(steadiness.steadySinceMs).toBe(1_000);
  for (const [index, dropped] of [33, 34].entries()) steadiness.note(dropped, 3_500 + 500 * index);
  expect(steadiness.steadySinceMs).toBe(4_000);
});

test('a few dropped frames are seen by nobody, unless more follow in a row', () => {
  const steadiness = new UploadSteadiness(30);
  steadiness.connected(1_000);
  for (const [index, dropped] of [0, 10, 10, 20, 20, 30].entries()) steadiness.note(dropped, 1_500 + 500 * index);
  expect(steadiness.steadySinceMs).toBe(1_000);
  steadiness.note(36, 4_500);
  expect(steadiness.steadySinceMs).toBe(4_500);
});
