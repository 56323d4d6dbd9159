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
  typicalSegmentSeconds: 2,
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
    { stage: 'ingest', severity: 'good', summary: '3\u202f012 kbit/s' },
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
  const both = { ...shed, renditions: shed.renditions.map((rendition) => ({ ...rendition, state: 'shed' as const })) };
  expect(drawVerdict(both)).toEqual({
    severity: 'warn',
    title: '2 renditions are left out',
    sentence:
      'This computer does not keep up with 720p, 480p. Viewers have the source and what is left. Close other programs: what is left out comes back by itself when there is room.',
  });
});

test('what came before a publisher connected says nothing of it', () => {
  const waiting = (sinceMs: number): HealthFacts => ({
    ...healthy,
    air: { kind: 'connecting', since: sinceMs },
    lastMediaAt: now - 20_000,
  });
  expect([
    reportStages(waiting(now - 500)),
    reportStages(waiting(now - 4_000)),
    reportStages({ ...waiting(now - 500), lastMediaAt: now - 20 }),
    reportStages({ ...waiting(now - 4_000), oneClick: { ...oneClickRunning, kind: 'starting' } }),
  ]).toEqual([
    [{ stage: 'ingest', severity: 'good', summary: 'waiting' }],
    [{ stage: 'ingest', severity: 'bad', summary: 'nothing for 4 s' }],
    [{ stage: 'ingest', severity: 'good', summary: '3\u202f012 kbit/s' }],
    [],
  ]);
});

test('the first segment is not one of several of its length', () => {
  expect(reportStages({ ...healthy, sessionSegments: 1 })[1]).toMatchObject({ summary: '1 segment · 2.0 s' });
});

test('a slow encode names what can be done about it, and nothing that cannot', () => {
  const slow = (quality: '720p30' | '1080p30', renditions: RenditionView[]) =>
    drawVerdict({ ...healthy, oneClick: { ...oneClickRunning, encodeSpeed: 0.8, quality }, renditions })?.sentence;
  const rendition: RenditionView = { asked: recommendedProfiles[0] as Profile, state: 'running' };
  expect([slow('720p30', []), slow('1080p30', [rendition])]).toEqual([
    'It encodes at 0.80 × real time, so viewers stall. To mend it, close other programs.',
    'It encodes at 0.80 × real time, so viewers stall. To mend it, close other programs, or choose a smaller picture, or make fewer renditions.',
  ]);
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
  ['no sound', { meters: { measuredAt: now, fps: 30, away: 'sound' } }, 'bad', 'No sound arrives'],
  ['no picture', { meters: { measuredAt: now, fps: 0, away: 'picture' } }, 'bad', 'No picture arrives'],
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
  expect(reportStages({ ...healthy, air: { kind: 'off-air' }, oneClick: failed })).toEqual([
    { stage: 'encode', severity: 'bad', summary: 'failed' },
  ]);
});

test('a one-click broadcast that failed before is no trouble of what another program brings on air', () => {
  const failed: OneClickState = { kind: 'failed', source: { kind: 'test-picture' }, at: 1, sentence: 'No.', stderr: [] };
  const onAir = { ...healthy, oneClick: failed };
  expect([drawVerdict(onAir), reportStages(onAir)]).toEqual([drawVerdict(healthy), reportStages(healthy)]);
});
