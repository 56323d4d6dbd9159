import { expect, test } from 'vitest';
import type { MonitorPhase } from './recovery.ts';
import { describePlayback } from './use-playback-watch.ts';

const sums = {
  state: 'playing',
  holdSeconds: undefined,
  stalls: 2,
  stalledSeconds: 3.456,
  recentStalls: 1,
  recentStalledSeconds: 1.5,
  decodedFrames: 900,
  droppedFrames: 3,
  fps: 29.97,
} as const;

test('the report contains only what is known', () => {
  const view = { phase: { kind: 'playing' }, isFollowing: true } as const;
  const timeline = { startSeconds: 0, liveSeconds: 60, positionSeconds: 54.54, slackSeconds: 1.5 };
  expect(describePlayback(sums, { ...view, timeline, playing: '720p' }, { totalMs: 912, bufferMs: undefined })).toEqual({
    state: 'playing',
    stalls: 2,
    stalledSeconds: 3.46,
    decodedFrames: 900,
    droppedFrames: 3,
    fps: 30,
    behindSeconds: 0.9,
    lateSeconds: 4,
    quality: '720p',
  });
  expect(describePlayback(sums, { ...view, timeline, isFollowing: false }, undefined)).not.toHaveProperty('lateSeconds');
  expect(describePlayback(sums, { ...view, timeline: { ...timeline, slackSeconds: 12 } }, undefined).lateSeconds).toBe(0);
  const held = { ...sums, state: 'stalled', holdSeconds: 4.26, fps: undefined } as const;
  expect(describePlayback(held, view, undefined)).toEqual({
    state: 'stalled',
    holdSeconds: 4.3,
    stalls: 2,
    stalledSeconds: 3.46,
    decodedFrames: 900,
    droppedFrames: 3,
  });
});

test('an undecodable picture has failed until a frame moves', () => {
  const waiting = { ...sums, state: 'waiting', holdSeconds: 4 } as const;
  const held = (reason: 'undecodable' | 'no-segment') =>
    describePlayback(waiting, { phase: { kind: 'held', reason, sinceMs: 0 }, isFollowing: true }, undefined).state;
  expect([held('undecodable'), held('no-segment')]).toEqual(['failed', 'waiting']);
  expect(describePlayback(sums, { phase: { kind: 'playing' }, isFollowing: true }, undefined).state).toBe('playing');
});

test('a picture that the monitor says is frozen has been frozen for as long in the report, even while the page was blocked', () => {
  // The page ran again after 7 s: what it measures begins now.
  const fresh = { ...sums, state: 'waiting', holdSeconds: 0 } as const;
  const holdOf = (phase: MonitorPhase) => describePlayback(fresh, { phase, isFollowing: true }, undefined, 90_000).holdSeconds;
  expect(holdOf({ kind: 'held', reason: 'no-segment', sinceMs: 83_000 })).toBe(7);
  expect(holdOf({ kind: 'opening' })).toBe(0);
});
