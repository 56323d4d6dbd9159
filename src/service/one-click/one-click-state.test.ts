import { expect, test } from 'vitest';
import { testSource } from '../../shared/model/source.ts';
import { describeOneClick, type OneClickParts } from './one-click-state.ts';

const encode = { kind: 'preset', name: '720p30' } as const;
const settings = {
  width: 1280,
  height: 720,
  fps: 30,
  videoBitrateBps: 3_000_000,
  keyframeSeconds: 2,
  audioBitrateBps: 128_000,
};
/** Sending everything. The wall clock is 1,000,000 ms ahead of the monotonic one. */
const parts: OneClickParts = {
  encode,
  settings,
  sinceMs: 1_000,
  feed: { source: testSource, away: [] },
  pace: { fps: 30, speed: 1 },
  follower: { bitrateBps: 3_000_000, provenBps: 3_000_000, isLowest: false, isKept: false },
  steadiness: { recentDrops: () => 5, steadySinceMs: 3_000 },
  upload: {
    sentBps: 3_100_000,
    measureWay: () => ({ queueMs: 40, waitMs: 0, carried: undefined }),
    inFlightBytes: 2_000,
  },
  uploadState: { kind: 'sending' },
  clock: { monotonicMs: () => 9_000, now: () => 1_009_000 },
};
const common = { source: testSource, encode, settings, since: 1_001_000 };
const running = {
  kind: 'running',
  ...common,
  away: [],
  encodeFps: 30,
  encodeSpeed: 1,
  sentBps: 3_100_000,
  queueMs: 40,
  inFlightBytes: 2_000,
  droppedFrames: 5,
  steadySince: 1_003_000,
};

test.each<[string, Partial<OneClickParts>, object]>([
  ['everything is sent', {}, running],
  [
    'the bitrate is lowered',
    { follower: { bitrateBps: 2_000_000, provenBps: 2_000_000, isLowest: false, isKept: false } },
    { ...running, videoBitrateBps: 2_000_000, provenBitrateBps: 2_000_000 },
  ],
  [
    'the lowered bitrate has just been raised',
    { follower: { bitrateBps: 2_000_000, provenBps: 1_700_000, isLowest: false, isKept: false } },
    { ...running, videoBitrateBps: 2_000_000, provenBitrateBps: 1_700_000 },
  ],
  [
    'the bitrate has just been raised to the chosen one',
    { follower: { bitrateBps: 3_000_000, provenBps: 2_700_000, isLowest: false, isKept: false } },
    running,
  ],
  [
    'the bitrate is as low as it can be, and can not be raised',
    { follower: { bitrateBps: 600_000, provenBps: 600_000, isLowest: true, isKept: true } },
    { ...running, videoBitrateBps: 600_000, provenBitrateBps: 600_000, isLowestBitrate: true, isBitrateKept: true },
  ],
  [
    'its way has not been measured yet',
    { upload: { sentBps: undefined, measureWay: () => undefined, inFlightBytes: undefined } },
    { ...running, sentBps: undefined, queueMs: 0, inFlightBytes: undefined },
  ],
  ['it has not connected yet', { upload: undefined, uploadState: { kind: 'connecting' } }, { kind: 'starting', ...common }],
  [
    'it tries again',
    { uploadState: { kind: 'retrying', attempt: 3, retryAtMs: 12_000, failure: { code: 'takes-no-data', forMs: 10_000 } } },
    {
      kind: 'retrying',
      ...common,
      away: [],
      attempt: 3,
      retryAt: 1_012_000,
      failure: { code: 'takes-no-data', forMs: 10_000 },
    },
  ],
])('the state while %s', (_, changed, state) => {
  expect(describeOneClick({ ...parts, ...changed })).toEqual(state);
});
