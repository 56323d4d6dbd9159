import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WayMeasure } from '../publishing/media-publisher.ts';
import { BitrateFollower } from './bitrate-follower.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const calm: WayMeasure = { queueMs: 0, waitMs: 0, carried: undefined };
const slow: WayMeasure = { queueMs: 400, waitMs: 900, carried: { bps: 1_000_000, isLimit: true } };

function setUp(answer: () => Promise<boolean> = async () => true) {
  const told: string[] = [];
  const ways: { now: WayMeasure[] } = { now: [calm] };
  const follower = new BitrateFollower({
    bounds: { floorBps: 370_000, ceilingBps: 3_000_000, audioBitrateBps: 160_000 },
    clock: { monotonicMs: () => Date.now() },
    measure: () => ways.now,
    replace: (bitrateBps) => {
      told.push(`replace ${bitrateBps}`);
      return answer();
    },
    onEvent: ({ code }) => told.push(code),
  });
  return { follower, told, ways, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

test('an encoder gets a lower bitrate from the first measurement that counts, and what it uses is known once it does', async () => {
  const replaced = Promise.withResolvers<boolean>();
  const { follower, told, ways, pass } = setUp(() => replaced.promise);
  follower.connected();
  ways.now = [slow];
  await pass(2_900);
  expect(told).toEqual([]);
  await pass(200);
  expect([told, follower.bitrateBps]).toEqual([['lowered', 'replace 530000'], 3_000_000]);
  replaced.resolve(true);
  await pass(0);
  expect(follower.bitrateBps).toBe(530_000);
  follower.close();
});

test('an encoder that cannot change continues, is reported, and is asked again', async () => {
  const { follower, told, ways, pass } = setUp(async () => false);
  follower.connected();
  ways.now = [slow];
  await pass(7_100);
  expect(told).toEqual(['lowered', 'replace 530000', 'kept', 'lowered', 'replace 530000', 'kept']);
  expect(follower.bitrateBps).toBe(3_000_000);
  follower.close();
});

test('without a connection nothing is measured, and a bitrate that comes into effect meanwhile stays', async () => {
  const replaced = Promise.withResolvers<boolean>();
  const { follower, told, ways, pass } = setUp(() => replaced.promise);
  follower.connected();
  ways.now = [slow];
  await pass(3_100);
  follower.disconnected();
  ways.now = [];
  replaced.resolve(true);
  await pass(60_000);
  follower.connected();
  ways.now = [calm];
  await pass(9_000);
  expect([told, follower.bitrateBps]).toEqual([['lowered', 'replace 530000'], 530_000]);
  follower.close();
});

test('closing ends the measurements, and what comes into effect later is not told', async () => {
  const { follower, told, ways, pass } = setUp();
  follower.connected();
  ways.now = [slow];
  follower.close();
  await pass(10_000);
  expect(told).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
