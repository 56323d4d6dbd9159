import { expect, test } from 'vitest';
import type { OneClickState, RenditionView } from '../../shared/model/live.ts';
import { type Profile, recommendedProfiles } from '../../shared/model/profile.ts';
import type { HealthFacts } from './health-facts.ts';
import { reportStages } from './stages.ts';
import { drawVerdict } from './verdict.ts';

const now = 1_000_000;

const healthy: HealthFacts = {
  now,
  air: { kind: 'on-air', since: now - 60_000, sessionId: 'a' },
  oneClick: { kind: 'idle' },
  meters: { measuredAt: now, bitrateBps: 3_012_400, fps: 30, keyframeIntervalSeconds: 2 },
  lastMediaAt: now - 20,
  nominalFps: 30,
  lastSegmentSeconds: 2,
  sessionSegments: 30,
  transcodedSegments: 0,
  renditions: [],
};

const oneClickRunning: Extract<OneClickState, { kind: 'running' }> = {
  kind: 'running',
  source: { kind: 'test-picture' },
  quality: '720p30',
  since: now - 60_000,
  encodeFps: 30,
  encodeSpeed: 1,
  queueMs: 12,
  droppedFrames: 0,
};

test('a healthy broadcast of another encoder has the stages that are measured and one verdict', () => {
  expect(reportStages(healthy)).toEqual([
    { stage: 'ingest', severity: 'good', summary: '3012 kbit/s' },
    { stage: 'package', severity: 'good', summary: '30 segments · 2.0 s each' },
  ]);
  expect(drawVerdict(healthy)).toEqual({ severity: 'good', title: 'All good' });
});

test('a one-click broadcast shows its encoder and its upload too', () => {
  expect(reportStages({ ...healthy, oneClick: oneClickRunning }).slice(0, 2)).toEqual([
    { stage: 'encode', severity: 'good', summary: '30.0 fps · 1.00 × real time' },
    { stage: 'upload', severity: 'good', summary: 'queue 12 ms' },
  ]);
});

test('renditions are a stage of their own, and one that is left out is said', () => {
  const [first, second] = recommendedProfiles as [Profile, Profile];
  const running: HealthFacts = {
    ...healthy,
    transcodedSegments: 58,
    renditions: [
      { asked: first, state: 'running' },
      { asked: second, state: 'running' },
    ],
  };
  expect(reportStages(running)[1]).toEqual({ stage: 'transcode', severity: 'good', summary: '58 of 30 × 2' });
  expect(drawVerdict(running)?.severity).toBe('good');
  const shed: HealthFacts = {
    ...running,
    renditions: [{ asked: first, state: 'shed' }, running.renditions[1] as RenditionView],
  };
  expect(reportStages(shed)[1]).toEqual({ stage: 'transcode', severity: 'warn', summary: '1 of 2 left out' });
  expect(drawVerdict(shed)).toMatchObject({ severity: 'warn', title: 'A rendition is left out' });
});

test('nothing is judged while off air', () => {
  const offAir: HealthFacts = { ...healthy, air: { kind: 'off-air' } };
  expect(reportStages(offAir)).toEqual([]);
  expect(drawVerdict(offAir)).toBeUndefined();
});

test.each<[string, Partial<HealthFacts>, string, string]>([
  [
    'a lost encoder',
    { air: { kind: 'reconnecting', since: 0, sessionId: 'a', lostAt: now - 5_000, until: now + 55_000 } },
    'bad',
    'The encoder is gone',
  ],
  ['silence', { lastMediaAt: now - 3_001 }, 'bad', 'Nothing arrives'],
  ['no silence at three seconds', { lastMediaAt: now - 3_000 }, 'good', 'All good'],
  ['a slow encode', { oneClick: { ...oneClickRunning, encodeSpeed: 0.8 } }, 'bad', 'This computer encodes too slowly'],
  ['a tight upload', { oneClick: { ...oneClickRunning, queueMs: 200 } }, 'warn', 'The upload is tight'],
  ['a failing upload', { oneClick: { ...oneClickRunning, queueMs: 700 } }, 'bad', 'The upload is too slow'],
  ['few frames missing', { meters: { measuredAt: now, fps: 28 } }, 'warn', 'Frames are missing'],
  ['many frames missing', { meters: { measuredAt: now, fps: 23 } }, 'bad', 'Frames are missing'],
  ['keyframes at the limit', { meters: { measuredAt: now, keyframeIntervalSeconds: 4 } }, 'good', 'All good'],
  ['keyframes far apart', { meters: { measuredAt: now, keyframeIntervalSeconds: 8.3 } }, 'warn', 'Keyframes are far apart'],
])('the verdict on %s', (_what, change, severity, title) => {
  expect(drawVerdict({ ...healthy, ...change })).toMatchObject({ severity, title });
});

test('a failed one-click broadcast says why', () => {
  const failed: OneClickState = {
    kind: 'failed',
    source: { kind: 'file', path: '/a' },
    at: now,
    sentence: 'The file has no video track.',
    stderr: [],
  };
  expect(drawVerdict({ ...healthy, air: { kind: 'off-air' }, oneClick: failed })).toEqual({
    severity: 'bad',
    title: 'Go live failed',
    sentence: 'The file has no video track.',
  });
});
