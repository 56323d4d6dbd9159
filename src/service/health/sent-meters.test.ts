import { expect, test } from 'vitest';
import { encodePresets } from '../../shared/model/encode-settings.ts';
import type { OneClickState } from '../../shared/model/live.ts';
import { testSource } from '../../shared/model/source.ts';
import { describeSent } from './sent-meters.ts';

const running: Extract<OneClickState, { kind: 'running' }> = {
  kind: 'running',
  source: testSource,
  encode: { kind: 'automatic' },
  settings: encodePresets['720p30'],
  since: 1_000_000,
  away: [],
  encodeFps: 29.9,
  sentBps: 3_100_000,
  queueMs: 0,
  droppedFrames: 18,
  steadySince: 0,
};

test('a broadcast to another computer is measured where it is sent', () => {
  expect(describeSent(running, 1_060_000)).toEqual({
    measuredAt: 1_060_000,
    bitrateBps: 3_100_000,
    targetBitrateBps: encodePresets['720p30'].videoBitrateBps + encodePresets['720p30'].audioBitrateBps,
    fps: 29.9,
    droppedFrames: { count: 18, ratio: 0.01 },
    width: 1280,
    height: 720,
    keyframeIntervalSeconds: encodePresets['720p30'].keyframeSeconds,
  });
  expect(describeSent({ kind: 'idle' }, 1_060_000)).toBeUndefined();
  // A broadcast younger than a minute has had fewer frames to drop.
  const droppedAfter = (ms: number) => describeSent(running, running.since + ms)?.droppedFrames;
  expect([9_999, 10_000, 20_000, 120_000].map(droppedAfter)).toEqual([
    undefined,
    { count: 18, ratio: 0.06 },
    { count: 18, ratio: 0.03 },
    { count: 18, ratio: 0.01 },
  ]);
});
