import { expect, test } from 'vitest';
import type { AirState, OneClickState, RenditionView } from '../../shared/model/live.ts';
import { type Profile, recommendedProfiles } from '../../shared/model/profile.ts';
import type { HealthFacts } from './health-facts.ts';
import { reportStages } from './stages.ts';
import { drawVerdict } from './verdict.ts';

const now = 1_000_000;

const onAir: AirState = { kind: 'on-air', since: now - 60_000, sessionId: 'a' };

const healthy: HealthFacts = {
  now,
  air: onAir,
  oneClick: { kind: 'idle' },
  meters: { measuredAt: now, bitrateBps: 3_012_400, fps: 30, keyframeIntervalSeconds: 2 },
  lastMediaAt: now - 20,
  nominalFps: 30,
  typicalSegmentSeconds: 2,
  renditions: [],
  playback: [],
  pageId: undefined,
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
    { stage: 'ingest', severity: 'good', summary: 'receiving' },
    { stage: 'package', severity: 'good', summary: 'segments of 2.0 s' },
  ]);
  expect(drawVerdict(healthy)).toEqual({ code: 'good', severity: 'good', title: 'All good' });
});

test('two encoders that take turns are the first thing to say', () => {
  const slept = { kind: 'slept', from: now - 40_000, to: now - 10_000 } as const;
  expect(drawVerdict({ ...healthy, slept, takeTurns: true })).toMatchObject({ code: 'encoders-take-turns', severity: 'bad' });
});

test('a computer that slept on air is told for a while, one that slept before is not', () => {
  const slept = { kind: 'slept', from: now - 40_000, to: now - 10_000 } as const;
  expect(drawVerdict({ ...healthy, slept })).toMatchObject({ code: 'slept', severity: 'warn', title: 'The computer slept' });
  expect(drawVerdict({ ...healthy, slept: { ...slept, kind: 'held' } })?.title).toBe('Tallylight stood still');
  const air: AirState = { kind: 'on-air', since: now - 5_000, sessionId: 'a' };
  expect(drawVerdict({ ...healthy, air, slept })?.code).toBe('good');
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
    renditions: [
      { asked: first, state: 'running' },
      { asked: second, state: 'running' },
    ],
  };
  expect(reportStages(running)[1]).toEqual({ stage: 'transcode', severity: 'good', summary: '2 renditions keep up' });
  expect(drawVerdict(running)?.severity).toBe('good');
  const shed: HealthFacts = {
    ...running,
    renditions: [{ asked: first, state: 'shed' }, running.renditions[1] as RenditionView],
  };
  expect(reportStages(shed)[1]).toEqual({ stage: 'transcode', severity: 'warn', summary: '1 of 2 left out' });
  expect(drawVerdict(shed)).toMatchObject({ severity: 'warn', title: 'A rendition is left out' });
  const both = { ...shed, renditions: shed.renditions.map((rendition) => ({ ...rendition, state: 'shed' as const })) };
  expect(drawVerdict(both)).toEqual({
    code: 'renditions-shed',
    severity: 'warn',
    title: '2 renditions are left out',
    sentence:
      'This computer cannot keep up with 720p, 480p. Viewers still get everything else. Close other programs: what is left out comes back by itself when there is room.',
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
    [{ stage: 'ingest', severity: 'good', summary: 'receiving' }],
    [],
  ]);
});

test('a slow encode names what can be done about it, and nothing that cannot', () => {
  const slow = (quality: '720p30' | '1080p30', renditions: RenditionView[]) =>
    drawVerdict({ ...healthy, oneClick: { ...oneClickRunning, encodeSpeed: 0.8, quality }, renditions })?.sentence;
  const rendition: RenditionView = { asked: recommendedProfiles[0] as Profile, state: 'running' };
  expect([slow('720p30', []), slow('1080p30', [rendition])]).toEqual([
    'It encodes at 0.80 × real time, so viewers stall. To fix it, close other programs.',
    'It encodes at 0.80 × real time, so viewers stall. To fix it, close other programs, or choose a smaller picture, or make fewer renditions.',
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
  [
    'an encoder that is back',
    { air: { kind: 'reconnecting', since: 0, sessionId: 'a', lostAt: 1, back: 'sending' } },
    'warn',
    'The encoder is back',
  ],
  [
    'one that is back and sends nothing',
    { air: { kind: 'reconnecting', since: 0, sessionId: 'a', lostAt: 1, back: 'connected' }, lastMediaAt: now - 500 },
    'bad',
    'Nothing arrives',
  ],
  ['silence', { air: { ...onAir, silentSince: now - 3_001 } }, 'bad', 'Nothing arrives'],
  ['silence that the large word does not tell of yet', { lastMediaAt: now - 3_001 }, 'good', 'All good'],
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

test('an encode is not called slow while its ffmpeg starts up', () => {
  const startedMsAgo = (ms: number) => ({ ...healthy, oneClick: { ...oneClickRunning, encodeSpeed: 0.8, since: now - ms } });
  expect([5_000, 5_001].map((ms) => drawVerdict(startedMsAgo(ms))?.code)).toEqual(['good', 'encode-slow']);
});

const silent: HealthFacts = { ...healthy, meters: { measuredAt: now, fps: 30, videoCodec: 'avc1.64001f' } };
const fromFile: OneClickState = { ...oneClickRunning, source: { kind: 'file', path: '/a.mp4' } };
const onAirFor = (ms: number): HealthFacts['air'] => ({ kind: 'on-air', since: now - ms, sessionId: 'a' });

test('a stream that never had sound is a warning once its sound is overdue, with what to do in the encoder', () => {
  expect([drawVerdict({ ...silent, air: onAirFor(3_999) }), drawVerdict({ ...silent, air: onAirFor(4_000) })]).toEqual([
    { code: 'good', severity: 'good', title: 'All good' },
    {
      code: 'never-sound',
      severity: 'warn',
      title: 'Viewers hear nothing',
      sentence:
        'The encoder sends no sound at all. Choose an audio track and an audio source in the encoder. In OBS, check the Audio Mixer and Settings → Output → Audio Track.',
    },
  ]);
});

test('a file without sound is a warning from the first second on air', () => {
  expect(drawVerdict({ ...silent, air: onAirFor(0), oneClick: fromFile })).toEqual({
    code: 'never-sound',
    severity: 'warn',
    title: 'Viewers hear nothing',
    sentence: 'The file has no sound. Choose one with sound if viewers should hear something.',
  });
});

test('a stream with sound, and one of sound alone, is no stream without sound', () => {
  const meters = { measuredAt: now, audioCodec: 'mp4a.40.2' };
  const verdicts = [meters, { ...meters, videoCodec: 'avc1.64001f' }].map((each) => drawVerdict({ ...healthy, meters: each }));
  expect(verdicts).toEqual(Array(2).fill({ code: 'good', severity: 'good', title: 'All good' }));
});

test('a track of a file that ends before the other is said in words', () => {
  const away = (track: 'sound' | 'picture') =>
    drawVerdict({ ...healthy, oneClick: fromFile, meters: { measuredAt: now, away: track } });
  expect([away('picture'), away('sound')]).toEqual([
    {
      code: 'no-picture',
      severity: 'warn',
      title: "The file's picture has ended",
      sentence: 'Its sound is longer: viewers see the last picture until the file starts again.',
    },
    {
      code: 'no-sound',
      severity: 'warn',
      title: "The file's sound has ended",
      sentence: 'Its picture is longer: viewers hear silence until the file starts again.',
    },
  ]);
});

test('the worst trouble is said, whichever is nearer to the camera', () => {
  const tight = { ...healthy, oneClick: { ...oneClickRunning, queueMs: 200 } };
  const verdicts = [tight, { ...tight, meters: { measuredAt: now, away: 'sound' as const } }].map(drawVerdict);
  expect(verdicts.map((verdict) => verdict?.title)).toEqual(['The upload is tight', 'No sound arrives']);
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
    code: 'go-live-failed',
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

/** What is said where, of one trouble: words alone, since the bar counts the seconds. */
const wordsOf = (change: Partial<HealthFacts>) => {
  const facts = { ...healthy, ...change };
  const ingest = reportStages(facts).find(({ stage }) => stage === 'ingest' || stage === 'upload');
  return [drawVerdict(facts)?.sentence, ingest?.summary];
};

test('the verdict on a loss says what to do, and counts nothing: the bar does', () => {
  const lost = { kind: 'reconnecting', since: 0, sessionId: 'a', lostAt: now - 5_000 } as const;
  const { queueMs: _, ...retrying } = {
    ...oneClickRunning,
    kind: 'retrying',
    attempt: 9,
    retryAt: now,
    sentence: 'Reset.',
  } as const;
  expect([
    wordsOf({ air: { ...lost, until: now + 55_000 } }),
    wordsOf({ air: { ...lost, until: now + 55_000 }, oneClick: { ...oneClickRunning, kind: 'starting' } }),
    wordsOf({ air: { ...lost, back: 'sending' } }),
    wordsOf({ air: { ...onAir, silentSince: now - 6_000 } }),
    wordsOf({ air: { kind: 'off-air' }, oneClick: retrying }),
  ]).toEqual([
    ['Check the encoder and its network. The broadcast continues when it is back.', 'no encoder'],
    ['Tallylight is restarting it. The broadcast continues when it is back.', 'no encoder'],
    ['It is sending again. Viewers will see it in a moment.', 'receiving'],
    ['The encoder is connected but sends nothing. Check the encoder and its network.', 'connected, sends nothing'],
    ['Tallylight keeps trying. If that does not help, stop and go live again.', 'not connected'],
  ]);
});

test('advice names the field where OBS has it', () => {
  const sentences = [
    { meters: { measuredAt: now, fps: 20 } },
    { meters: { measuredAt: now, away: 'sound' as const } },
    { meters: { measuredAt: now, away: 'picture' as const } },
    { meters: { measuredAt: now, keyframeIntervalSeconds: 8 } },
  ].map((change) => wordsOf(change)[0]);
  expect(sentences).toEqual([
    expect.stringContaining('In OBS, lower Output (Scaled) Resolution or Common FPS Values in Settings → Video.'),
    expect.stringContaining('In OBS, look at the Audio Mixer, and at Settings → Audio.'),
    expect.stringContaining('In OBS, choose another Video Encoder in Settings → Output.'),
    expect.stringContaining('In OBS, open Settings → Output → Output mode: Advanced and set Keyframe Interval to 1 s.'),
  ]);
  expect(wordsOf({ meters: { measuredAt: now, fps: 20 }, oneClick: oneClickRunning })[0]).not.toContain('OBS');
});

test('where fewer renditions help, the verdict says so to the button that makes fewer', () => {
  const [first, second] = recommendedProfiles as [Profile, Profile];
  const slow = { oneClick: { ...oneClickRunning, encodeSpeed: 0.8 } };
  const remedy = (change: Partial<HealthFacts>) => drawVerdict({ ...healthy, ...change })?.remedy;
  expect([
    remedy({ ...slow, renditions: [{ asked: first, state: 'running' }] }),
    remedy({ ...slow, renditions: [{ asked: first, state: 'left-out' }] }),
    remedy({
      renditions: [
        { asked: first, state: 'shed' },
        { asked: second, state: 'waiting' },
      ],
    }),
    remedy({ renditions: [{ asked: first, state: 'shed' }] }),
    remedy({ renditions: [{ asked: first, state: 'running' }] }),
  ]).toEqual(['fewer-renditions', undefined, 'fewer-renditions', undefined, undefined]);
});
