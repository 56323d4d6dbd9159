import { expect, test } from 'vitest';
import { encodePresets } from '../../shared/model/encode-settings.ts';
import type { PlaybackReport } from '../../shared/model/live.ts';
import { testSource } from '../../shared/model/source.ts';
import type { HealthFacts } from './health-facts.ts';
import type { WatchedPlayback } from './play-reports.ts';
import { reportStages } from './stages.ts';
import { drawVerdict } from './verdict.ts';

const now = 1_000_000;
const still = { stalls: 0, stalledSeconds: 0, droppedFrames: 0, decodedFrames: 1_800 };

function watch(report: Partial<PlaybackReport>, change: Partial<WatchedPlayback> = {}): WatchedPlayback {
  return {
    pageId: 'here',
    report: { state: 'playing', ...still, ...report },
    recent: still,
    isStarted: true,
    isSettled: true,
    ...change,
  };
}

/** The stage and verdict of a broadcast that is healthy except for what these monitors report. */
function judge(playback: WatchedPlayback[], change: Partial<HealthFacts> = {}) {
  const facts: HealthFacts = {
    now,
    air: { kind: 'on-air', since: now - 60_000, sessionId: 'a' },
    oneClick: { kind: 'idle' },
    meters: undefined,
    lastMediaAt: now,
    nominalFps: 30,
    typicalSegmentSeconds: 2,
    renditions: [],
    playback,
    pageId: 'here',
    ...change,
  };
  const stage = reportStages(facts).find((each) => each.stage === 'play');
  return { stage, verdict: drawVerdict(facts) };
}

/** The severity of the stage, and the code and severity of the verdict. */
function weigh(playback: WatchedPlayback[], change: Partial<HealthFacts> = {}) {
  const { stage, verdict } = judge(playback, change);
  return [stage?.severity, verdict && [verdict.code, verdict.severity]];
}

const good = ['good', 'good'];
const resumes = ['play-resumes', 'warn'];
const restless = { isStarted: false, isSettled: false };
const dropping = (share: number) => ({ ...still, droppedFrames: Math.round(1_800 * share) });
const stalledTwice = { ...still, stalls: 2, stalledSeconds: 3.2, droppedFrames: 7 };

test.each<[string, WatchedPlayback[], unknown[]]>([
  ['without a page there is no stage', [], [undefined, good]],
  ['a monitor that plays', [watch({ behindSeconds: 0.94 })], ['good', good]],
  ['a paused one', [watch({ state: 'paused' }, { recent: stalledTwice })], ['good', good]],
  ['one that has just opened', [watch({ state: 'waiting', holdSeconds: 3 }, restless)], ['good', good]],
  ['a hiccup', [watch({ state: 'stalled', holdSeconds: 0.6 })], ['good', good]],
  ['a video that froze as media stopped', [watch({ state: 'stalled', holdSeconds: 4 }, restless)], ['warn', resumes]],
  ['one that waits for media', [watch({ state: 'waiting', holdSeconds: 9 }, restless)], ['warn', resumes]],
  ['one that failed before media stopped', [watch({ state: 'failed' }, restless)], ['warn', resumes]],
  [
    'a video that froze as media paused',
    [watch({ state: 'stalled', holdSeconds: 1.4 }, { isSettled: false })],
    ['warn', resumes],
  ],
  [
    'one that failed though media only paused',
    [watch({ state: 'failed' }, { isSettled: false })],
    ['bad', ['play-failed', 'bad']],
  ],
  [
    'one that never got a picture though media only paused',
    [watch({ state: 'waiting', holdSeconds: 9 }, { isSettled: false })],
    ['bad', ['play-stalls', 'bad']],
  ],
  ['a frozen video', [watch({ state: 'stalled', holdSeconds: 4 })], ['bad', ['play-stalls', 'bad']]],
  ['a video that never started', [watch({ state: 'waiting', holdSeconds: 9 })], ['bad', ['play-stalls', 'bad']]],
  ['recent stalls', [watch({}, { recent: stalledTwice })], ['warn', ['play-stalls', 'warn']]],
  ['a few dropped frames', [watch({}, { recent: dropping(0.04) })], ['good', good]],
  ['enough dropped frames to stutter', [watch({}, { recent: dropping(0.1) })], ['warn', ['play-drops', 'warn']]],
  ['nearly every third frame dropped', [watch({}, { recent: dropping(0.3) })], ['bad', ['play-drops', 'bad']]],
  [
    'dropped frames among too few to count',
    [watch({}, { recent: { ...still, decodedFrames: 90, droppedFrames: 40 } })],
    ['good', good],
  ],
  ['as far behind as players without low latency', [watch({ behindSeconds: 8.9 })], ['good', good]],
  ['further behind', [watch({ behindSeconds: 9.2 })], ['warn', ['play-behind', 'warn']]],
  ['very far behind', [watch({ behindSeconds: 40 })], ['bad', ['play-behind', 'bad']]],
  [
    'several troubles in one monitor',
    [watch({ behindSeconds: 40 }, { recent: stalledTwice })],
    ['bad', ['play-behind', 'bad']],
  ],
  ['a failed monitor', [watch({ state: 'failed' })], ['bad', ['play-failed', 'bad']]],
  [
    'the worst of several playing pages',
    [watch({ state: 'paused', holdSeconds: 9 }), watch({ state: 'stalled', holdSeconds: 1.5 }), watch({})],
    ['warn', ['play-stalls', 'warn']],
  ],
])('the play stage: %s', (_what, playback, expected) => {
  expect(weigh(playback)).toEqual(expected);
});

test('dropped frames are a warning above 5 % and bad from 25 %, once there are five seconds of frames', () => {
  const drops = (droppedFrames: number, decodedFrames: number) =>
    weigh([watch({}, { recent: { ...still, droppedFrames, decodedFrames } })])[0];
  expect([drops(90, 1_800), drops(91, 1_800), drops(449, 1_800), drops(450, 1_800)]).toEqual(['good', 'warn', 'warn', 'bad']);
  expect([drops(149, 149), drops(150, 150)]).toEqual(['good', 'bad']);
});

test('a distance beyond three segments is a warning above 3 s and bad from 10 s, unless the picture stands still', () => {
  const behind = (behindSeconds: number) => weigh([watch({ behindSeconds })])[0];
  expect([behind(9), behind(9.1), behind(15.9), behind(16)]).toEqual(['good', 'warn', 'warn', 'bad']);
  expect(weigh([watch({ state: 'stalled', holdSeconds: 0.6, behindSeconds: 16 })])[0]).toBe('good');
});

test('a monitor that waits for its first picture is still after the five seconds that a player may take to start', () => {
  const waiting = (holdSeconds: number | undefined) =>
    weigh([watch({ state: 'waiting', ...(holdSeconds !== undefined && { holdSeconds }) }, restless)])[1];
  expect([waiting(undefined), waiting(4.9), waiting(5)]).toEqual([good, good, resumes]);
});

test('while media arrives and the picture beside it is still frozen, not all is good; else another verdict says why', () => {
  const frozen = (change: Partial<WatchedPlayback> = {}) => [
    watch({ state: 'stalled', holdSeconds: 1.4 }, { isSettled: false, ...change }),
  ];
  const verdictOf = (...judged: Parameters<typeof judge>) => judge(...judged).verdict?.code;
  expect(verdictOf(frozen(), { lastMediaAt: now - 1_000 })).toBe('play-resumes');
  // If nothing has arrived for a moment, or another computer packages the media, it would be a guess that the picture resumes.
  expect([now - 1_001, undefined].map((lastMediaAt) => verdictOf(frozen(), { lastMediaAt }))).toEqual(['good', 'good']);
  expect(verdictOf(frozen({ pageId: 'elsewhere' }))).toBe('good');
  expect(verdictOf(frozen(), { meters: { measuredAt: now, keyframeIntervalSeconds: 8 } })).toBe('keyframes-far');
});

test('with long segments, three of them count as a normal distance', () => {
  const behind = [watch({ behindSeconds: 20 })];
  expect([4, 6].map((typicalSegmentSeconds) => weigh(behind, { typicalSegmentSeconds })[1])).toEqual([
    ['play-behind', 'warn'],
    good,
  ]);
});

test("of another computer's stream, the distance is that from the player's own place", () => {
  const elsewhere = { typicalSegmentSeconds: undefined };
  expect([0.5, 3.2, 11].map((lateSeconds) => weigh([watch({ behindSeconds: 24, lateSeconds })], elsewhere)[1])).toEqual([
    good,
    ['play-behind', 'warn'],
    ['play-behind', 'bad'],
  ]);
});

test("of another computer's stream, no picture is trouble only once players there have had time", () => {
  const waiting = (isSettled: boolean) => [watch({ state: 'waiting', holdSeconds: 9 }, { isSettled })];
  const elsewhere = { typicalSegmentSeconds: undefined, lastMediaAt: undefined };
  expect([false, true].map((isSettled) => weigh(waiting(isSettled), elsewhere)[1])).toEqual([good, ['play-stalls', 'bad']]);
});

test('bad playback comes before a warning about the encoder, but not before bad troubles upstream', () => {
  const held = [watch({ state: 'stalled', holdSeconds: 4 })];
  const starting: HealthFacts['oneClick'] = { kind: 'starting', source: testSource, encode: { kind: 'automatic' }, since: now };
  expect([
    weigh(held, { meters: { measuredAt: now, keyframeIntervalSeconds: 8 } })[1],
    weigh(held, { air: { kind: 'on-air', since: now - 60_000, sessionId: 'a', silentSince: now - 4_000 } })[1],
    weigh(held, { air: { kind: 'off-air' } }),
    weigh(held, { air: { kind: 'off-air' }, oneClick: starting }),
  ]).toEqual([
    ['play-stalls', 'bad'],
    ['nothing-arrives', 'bad'],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test('the stage has the numbers of the worst monitor', () => {
  expect([
    judge([watch({ behindSeconds: 40 }, { recent: stalledTwice })]).stage,
    judge([watch({ state: 'waiting', holdSeconds: 3 }, restless)]).stage,
  ]).toEqual([
    {
      stage: 'play',
      code: 'monitored',
      severity: 'bad',
      monitor: 'own',
      state: 'playing',
      behindSeconds: 40,
      recent: { stalls: 2, stalledSeconds: 3.2, droppedFrames: 7, droppedRatio: 7 / 1_800 },
    },
    {
      stage: 'play',
      code: 'monitored',
      severity: 'good',
      monitor: 'own',
      state: 'waiting',
      holdSeconds: 3,
      recent: { stalls: 0, stalledSeconds: 0, droppedFrames: 0, droppedRatio: 0 },
    },
  ]);
});

test('the verdict says how playback stalls', () => {
  const stallOf = (...watched: Parameters<typeof watch>) => {
    const { verdict } = judge([watch(...watched)]);
    return verdict?.code === 'play-stalls' ? verdict.stall : undefined;
  };
  expect([
    stallOf({ state: 'waiting', holdSeconds: 9 }),
    stallOf({ state: 'stalled', holdSeconds: 4 }),
    stallOf({}, { recent: stalledTwice }),
    // A stall that began before this minute adds seconds but no count.
    stallOf({}, { recent: { ...still, stalledSeconds: 5 } }),
  ]).toEqual([
    { kind: 'no-picture' },
    { kind: 'frozen' },
    { kind: 'repeated', count: 2, seconds: 3.2 },
    { kind: 'repeated', count: 1, seconds: 5 },
  ]);
});

/** The owner of the monitor that the stage and the verdict are about. */
function ownerOf(playback: WatchedPlayback[], change: Partial<HealthFacts> = {}) {
  const { stage, verdict } = judge(playback, change);
  return [stage?.stage === 'play' && stage.monitor, verdict && 'monitor' in verdict && [verdict.code, verdict.monitor]];
}

test("a page can tell its own monitor from another page's; the log names none", () => {
  const elsewhere = { pageId: 'elsewhere' };
  const troubles: [string, Partial<PlaybackReport>, Partial<WatchedPlayback>][] = [
    ['play-stalls', { state: 'stalled', holdSeconds: 4 }, {}],
    ['play-stalls', {}, { recent: stalledTwice }],
    ['play-drops', {}, { recent: dropping(0.1) }],
    ['play-behind', { behindSeconds: 40 }, {}],
    ['play-failed', { state: 'failed' }, {}],
  ];
  for (const [code, report, change] of troubles) {
    expect([
      ownerOf([watch(report, change)]),
      ownerOf([watch({}), watch(report, { ...change, ...elsewhere })]),
      ownerOf([watch({}), watch(report, { ...change, ...elsewhere })], { pageId: undefined }),
    ]).toEqual([
      ['own', [code, 'own']],
      ['other-page', [code, 'other-page']],
      ['any-page', [code, 'any-page']],
    ]);
  }
});

test('among equally bad monitors a page gets its own', () => {
  const long: Partial<PlaybackReport> = { state: 'stalled', holdSeconds: 9 };
  const short: Partial<PlaybackReport> = { state: 'stalled', holdSeconds: 2 };
  expect(ownerOf([watch(long, { pageId: 'elsewhere' }), watch(short)])[0]).toBe('own');
});

test('among monitors without trouble the stage is about one that plays, and then about the one that stalled longest', () => {
  const stateOf = (playback: WatchedPlayback[]) => {
    const { stage } = judge(playback);
    return stage?.stage === 'play' && [stage.state, stage.recent.stalledSeconds, stage.holdSeconds];
  };
  const stalled = (stalledSeconds: number, report: Partial<PlaybackReport> = {}) =>
    watch(report, { recent: { ...still, stalls: 1, stalledSeconds } });
  for (const order of [(all: WatchedPlayback[]) => all, (all: WatchedPlayback[]) => all.toReversed()]) {
    expect([
      stateOf(order([watch({ state: 'paused', holdSeconds: 9 }), watch({})])),
      stateOf(order([stalled(0.2), stalled(0.5), watch({})])),
      stateOf(order([stalled(0.5), stalled(0.2, { state: 'stalled', holdSeconds: 0.6 })])),
    ]).toEqual([
      ['playing', 0, undefined],
      ['playing', 0.5, undefined],
      ['stalled', 0.2, 0.6],
    ]);
  }
});

test('advice for all viewers depends on the encoder and on whether its quality can be lowered', () => {
  const running: Extract<HealthFacts['oneClick'], { kind: 'running' }> = {
    kind: 'running',
    source: testSource,
    away: [],
    since: 0,
    queueMs: 0,
    droppedFrames: 0,
    steadySince: now - 60_000,
    encode: { kind: 'automatic' },
    settings: encodePresets['1080p30'],
  };
  const troubles = [
    watch({ state: 'stalled', holdSeconds: 4 }),
    watch({}, { recent: stalledTwice }),
    watch({ state: 'failed' }),
    watch({ behindSeconds: 40 }),
  ];
  const advise = (oneClick: HealthFacts['oneClick']) =>
    troubles.map((trouble) => {
      const { verdict } = judge([trouble], { oneClick });
      return verdict && 'forEveryone' in verdict && verdict.forEveryone;
    });
  expect([advise({ kind: 'idle' }), advise(running), advise({ ...running, settings: encodePresets['720p30'] })]).toEqual([
    ['lower-bitrate', 'lower-bitrate', 'usual-codecs', 'lower-bitrate'],
    troubles.map(() => 'smaller-picture'),
    troubles.map(() => 'check-network'),
  ]);
});
