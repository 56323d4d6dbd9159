import { expect, test } from 'vitest';
import { frozen, healthy, now, oneClickRunning } from '../../../test/support/health-facts.ts';
import type { HealthFacts } from './health-facts.ts';
import { drawVerdict } from './verdict.ts';

test('a trouble that leaves viewers the sound hides no silence, however bad: the silence is then as bad', () => {
  const silent = { code: 'silent', severity: 'warn' } as const;
  const losing = (fps: number, ratio: number): Partial<HealthFacts> => ({
    meters: { measuredAt: now, fps, droppedFrames: { count: ratio * 1_800, ratio, isRepeated: true } },
  });
  const never = { measuredAt: now, fps: 23, videoCodec: 'avc1.64001f' };
  const judge = (change: Partial<HealthFacts>, sound: HealthFacts['sound'] = [silent]) => {
    const verdict = drawVerdict({ ...healthy, sound, ...change });
    return verdict && `${verdict.code}, ${verdict.severity}`;
  };
  expect([
    judge(losing(30, 0.04)),
    judge(losing(28, 0.04)),
    judge(losing(30, 0.1)),
    judge({ meters: { measuredAt: now, fps: 23 } }),
    judge({ meters: never }, []),
    judge({ oneClick: { ...oneClickRunning, droppedFrames: 60 } }),
    judge({ meters: { measuredAt: now, fps: 30, keyframeIntervalSeconds: 30 } }),
    judge({ meters: { measuredAt: now, fps: 30, hasRareProfile: true } }),
    judge({ playback: [frozen] }),
  ]).toEqual([
    'silent, warn',
    'silent, warn',
    'silent, bad',
    'silent, bad',
    'never-sound, bad',
    'silent, warn',
    'silent, bad',
    'silent, bad',
    'silent, bad',
  ]);
  // Here, viewers lose the sound as well.
  expect([
    judge({ pace: 0.7 }),
    judge({ oneClick: { ...oneClickRunning, queueMs: 700 } }),
    judge({ meters: { measuredAt: now, fps: 0, away: 'picture' } }),
    judge({ meters: { measuredAt: now, fps: 23 }, pauses: { count: 6, seconds: 20 } }),
  ]).toEqual(['arrives-slowly, bad', 'upload-slow, bad', 'no-picture, bad', 'frames-missing, bad']);
  expect(judge({ ...losing(30, 0.1), isSilenceMeant: true })).toBe('frames-missing, bad');
  expect(judge(losing(30, 0.1), [{ code: 'clipping', severity: 'warn' }])).toBe('frames-missing, bad');
});
