import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { BitrateEvent } from '../../shared/model/bitrate-event.ts';
import { type Fault, onFault } from '../lib/faults.ts';
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
  const events: BitrateEvent[] = [];
  const way: { now: WayMeasure } = { now: calm };
  const follower = new BitrateFollower({
    bounds: { floorBps: 370_000, ceilingBps: 3_000_000, audioBitrateBps: 160_000 },
    clock: { monotonicMs: () => Date.now() },
    measure: () => way.now,
    replace: (bitrateBps) => {
      told.push(`replace ${bitrateBps}`);
      return answer();
    },
    onEvent: (event) => {
      told.push(event.code);
      events.push(event);
    },
  });
  return { follower, told, events, way, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

test('an encoder gets a lower bitrate from the first measurement that counts, and what it uses is known once it does', async () => {
  const replaced = Promise.withResolvers<boolean>();
  const { follower, told, way, pass } = setUp(() => replaced.promise);
  follower.connected();
  way.now = slow;
  await pass(2_900);
  expect(told).toEqual([]);
  await pass(200);
  expect([told, follower.bitrateBps]).toEqual([['lowered', 'replace 530000'], 3_000_000]);
  replaced.resolve(true);
  await pass(0);
  expect(follower.bitrateBps).toBe(530_000);
  follower.close();
});

test('each change is reported with its bitrates, and at the floor no encoder is replaced', async () => {
  const { follower, told, events, way, pass } = setUp();
  follower.connected();
  // No limit: the way carried everything that was sent.
  way.now = { queueMs: 250, waitMs: 300, carried: { bps: 500_000, isLimit: false } };
  await pass(3_100);
  const isLowest = [follower.isLowest];
  way.now = { ...slow, carried: { bps: 100_000, isLimit: true } };
  await pass(8_000);
  isLowest.push(follower.isLowest);
  way.now = calm;
  await pass(10_000);
  isLowest.push(follower.isLowest);
  expect(isLowest).toEqual([false, true, false]);
  expect(events).toEqual([
    { code: 'lowered', severity: 'warn', fromBps: 3_000_000, toBps: 2_400_000, queueMs: 250 },
    { code: 'lowered', severity: 'warn', fromBps: 2_400_000, toBps: 370_000, queueMs: 400 },
    { code: 'at-floor', severity: 'warn', bitrateBps: 370_000, queueMs: 400 },
    { code: 'raised', severity: 'good', fromBps: 370_000, toBps: 440_000 },
  ]);
  expect(told.filter((line) => line.startsWith('replace'))).toEqual(['replace 2400000', 'replace 370000', 'replace 440000']);
  follower.close();
});

test('after a reconnect the way out is measured again', async () => {
  const { follower, told, way, pass } = setUp();
  follower.connected();
  await pass(5_000);
  follower.disconnected();
  way.now = slow;
  await pass(5_000);
  expect(told).toEqual([]);
  follower.connected();
  await pass(3_100);
  expect(told).toEqual(['lowered', 'replace 530000']);
  follower.close();
});

test('an encoder that cannot change continues, is reported, and is asked again', async () => {
  const { follower, told, way, pass } = setUp(async () => false);
  follower.connected();
  way.now = slow;
  await pass(7_100);
  expect(told).toEqual(['lowered', 'replace 530000', 'kept', 'lowered', 'replace 530000', 'kept']);
  expect(follower.bitrateBps).toBe(3_000_000);
  follower.close();
});

test('a bitrate that could not be changed is kept until a replacement works', async () => {
  const answers = [false, false, true];
  const { follower, told, way, pass } = setUp(async () => answers.shift() === true);
  follower.connected();
  way.now = slow;
  const isKept = [follower.isKept];
  for (const ms of [3_100, 4_000, 4_000]) {
    await pass(ms);
    isKept.push(follower.isKept);
  }
  expect(told.filter((line) => line.startsWith('replace'))).toHaveLength(3);
  expect(isKept).toEqual([false, true, true, false]);
  follower.close();
});

test.each([true, false])('a replacement that ends with %s after it was given up changes nothing more', async (answer) => {
  const replaced = Promise.withResolvers<boolean>();
  const { follower, told, way, pass } = setUp(() => replaced.promise);
  follower.connected();
  way.now = slow;
  await pass(28_000);
  expect(told).toEqual(['lowered', 'replace 530000', 'kept']);
  replaced.resolve(answer);
  await pass(1_900);
  expect([told.length, follower.bitrateBps, follower.isKept]).toEqual([3, 3_000_000, true]);
  await pass(100);
  expect(told.slice(3, 5)).toEqual(['lowered', 'replace 530000']);
  follower.close();
});

test('an encoder whose replacement throws continues, and the error is reported', async () => {
  const faults: Fault[] = [];
  onTestFinished(onFault((fault) => faults.push(fault)));
  const error = new Error('a bug');
  const { follower, told, way, pass } = setUp(() => Promise.reject(error));
  follower.connected();
  way.now = slow;
  await pass(3_100);
  expect(told).toEqual(['lowered', 'replace 530000', 'kept']);
  expect([follower.bitrateBps, faults]).toEqual([3_000_000, [{ error, during: 'replacing an encoder' }]]);
  follower.close();
});

test('without a connection nothing is measured, and a bitrate that comes into effect meanwhile stays', async () => {
  const replaced = Promise.withResolvers<boolean>();
  const { follower, told, way, pass } = setUp(() => replaced.promise);
  follower.connected();
  way.now = slow;
  await pass(3_100);
  follower.disconnected();
  expect(vi.getTimerCount()).toBe(0);
  replaced.resolve(true);
  await pass(60_000);
  follower.connected();
  way.now = calm;
  await pass(9_000);
  expect([told, follower.bitrateBps]).toEqual([['lowered', 'replace 530000'], 530_000]);
  follower.close();
});

test('closing ends the measurements, and what comes into effect later is not told', async () => {
  const replaced = Promise.withResolvers<boolean>();
  const { follower, told, way, pass } = setUp(() => replaced.promise);
  follower.connected();
  way.now = slow;
  await pass(3_100);
  follower.close();
  expect(vi.getTimerCount()).toBe(0);
  replaced.resolve(false);
  await pass(10_000);
  expect(told).toEqual(['lowered', 'replace 530000']);
});
