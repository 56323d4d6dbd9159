import { expect, test } from 'vitest';
import type { PlaybackReport } from '../../shared/model/live.ts';
import type { HealthFacts } from './health-facts.ts';
import type { WatchedPlayback } from './play-reports.ts';
import { reportStages } from './stages.ts';
import { drawVerdict } from './verdict.ts';

const now = 1_000_000;
const still = { stalls: 0, stalledSeconds: 0, droppedFrames: 0, decodedFrames: 1_800 };

function watch(report: Partial<PlaybackReport>, change: Partial<WatchedPlayback> = {}): WatchedPlayback {
  return { pageId: 'here', report: { state: 'playing', ...still, ...report }, recent: still, isSettled: true, ...change };
}

/** The stage and the verdict of a broadcast that is fine but for what these monitors see. */
function judge(playback: WatchedPlayback[], change: Partial<HealthFacts> = {}) {
  const facts: HealthFacts = {
    now,
    air: { kind: 'on-air', since: now - 60_000, sessionId: 'a' },
    oneClick: { kind: 'idle' },
    meters: undefined,
    lastMediaAt: now,
    nominalFps: 30,
    typicalSegmentSeconds: undefined,
    renditions: [],
    playback,
    pageId: 'here',
    ...change,
  };
  const stage = reportStages(facts).find((each) => each.stage === 'play');
  const { code, severity, title, sentence } = drawVerdict(facts) ?? {};
  return [stage && [stage.severity, stage.summary], code && [code, severity], title, sentence];
}

const lowerBitrate = 'If viewers see it too, lower the bitrate: in OBS, Settings → Output → Bitrate.';
const ownAdvice = `${lowerBitrate} If only you see it, close other programs on this computer, or choose a smaller quality in the monitor.`;
const otherAdvice = `${lowerBitrate} If only that page sees it, look at its computer and its network.`;
const good = ['good', 'good'];
const dropping = (share: number) => ({ ...still, droppedFrames: Math.round(1_800 * share) });
const stalledTwice = { ...still, stalls: 2, stalledSeconds: 3.2, droppedFrames: 7 };

test.each<[string, WatchedPlayback[], unknown[]]>([
  ['without a page there is no stage', [], [undefined, good]],
  ['a monitor that plays', [watch({ behindSeconds: 0.94 })], [['good', 'playing · 0.9 s behind'], good]],
  ['a paused one', [watch({ state: 'paused' }, { recent: stalledTwice })], [['good', 'paused'], good]],
  [
    'one that has just opened',
    [watch({ state: 'waiting', holdSeconds: 3 }, { isSettled: false })],
    [['good', 'waiting for 3.0 s'], good],
  ],
  ['a hiccup', [watch({ state: 'stalled', holdSeconds: 0.6 })], [['good', 'frozen for 0.6 s'], good]],
  [
    'a picture that stands still',
    [watch({ state: 'stalled', holdSeconds: 4 })],
    [
      ['bad', 'frozen for 4.0 s'],
      ['play-stalls', 'bad'],
    ],
  ],
  [
    'a picture that never came',
    [watch({ state: 'waiting', holdSeconds: 9 })],
    [
      ['bad', 'waiting for 9.0 s'],
      ['play-stalls', 'bad'],
    ],
  ],
  [
    'recent stalls',
    [watch({}, { recent: stalledTwice })],
    [
      ['warn', 'playing · stalled twice, 3.2 s · 7 frames dropped'],
      ['play-stalls', 'warn'],
    ],
  ],
  [
    'frames that are dropped, a few',
    [watch({}, { recent: dropping(0.04) })],
    [['good', 'playing · 72 frames dropped (4 %)'], good],
  ],
  [
    'frames that are dropped, so that the picture jerks',
    [watch({}, { recent: dropping(0.1) })],
    [
      ['warn', 'playing · 180 frames dropped (10 %)'],
      ['play-drops', 'warn'],
    ],
  ],
  [
    'frames that are dropped, nearly every third',
    [watch({}, { recent: dropping(0.3) })],
    [
      ['bad', 'playing · 540 frames dropped (30 %)'],
      ['play-drops', 'bad'],
    ],
  ],
  [
    'a share of too few frames to say anything',
    [watch({}, { recent: { ...still, decodedFrames: 90, droppedFrames: 40 } })],
    [['good', 'playing · 40 frames dropped (44 %)'], good],
  ],
  [
    'a picture as far behind as players without low latency are',
    [watch({ behindSeconds: 8.9 })],
    [['good', 'playing · 8.9 s behind'], good],
  ],
  [
    'a picture that is farther behind',
    [watch({ behindSeconds: 9.2 })],
    [
      ['warn', 'playing · 9.2 s behind'],
      ['play-behind', 'warn'],
    ],
  ],
  [
    'a picture of long ago',
    [watch({ behindSeconds: 40 })],
    [
      ['bad', 'playing · 40.0 s behind'],
      ['play-behind', 'bad'],
    ],
  ],
  [
    'the worst of what one monitor sees',
    [watch({ behindSeconds: 40 }, { recent: stalledTwice })],
    [
      ['bad', 'playing · 40.0 s behind · stalled twice, 3.2 s · 7 frames dropped'],
      ['play-behind', 'bad'],
    ],
  ],
  [
    'a monitor that gave up',
    [watch({ state: 'failed' })],
    [
      ['bad', 'failed'],
      ['play-failed', 'bad'],
    ],
  ],
  [
    'the worst of several pages that play',
    [watch({ state: 'paused', holdSeconds: 9 }), watch({ state: 'stalled', holdSeconds: 1.5 }), watch({})],
    [
      ['warn', 'frozen for 1.5 s'],
      ['play-stalls', 'warn'],
    ],
  ],
])('the play stage: %s', (_what, playback, expected) => {
  expect(judge(playback).slice(0, 2)).toEqual(expected);
});

test('segments that are long are as far behind as three of them', () => {
  const behind = [watch({ behindSeconds: 20 })];
  expect([4, 6].map((typicalSegmentSeconds) => judge(behind, { typicalSegmentSeconds })[1])).toEqual([
    ['play-behind', 'warn'],
    good,
  ]);
});

test('a bad picture comes before a warning about the encoder, and never before worse upstream', () => {
  const held = [watch({ state: 'stalled', holdSeconds: 4 })];
  expect([
    judge(held, { meters: { measuredAt: now, keyframeIntervalSeconds: 8 } })[1],
    judge(held, { air: { kind: 'on-air', since: now - 60_000, sessionId: 'a', silentSince: now - 4_000 } })[1],
    judge(held, { air: { kind: 'off-air' } }).slice(0, 2),
  ]).toEqual([
    ['play-stalls', 'bad'],
    ['nothing-arrives', 'bad'],
    [undefined, undefined],
  ]);
});

test('each page is told of its own monitor, and of one of another page as such; the log names none', () => {
  const held: Partial<PlaybackReport> = { state: 'stalled', holdSeconds: 4 };
  const elsewhere = { pageId: 'elsewhere' };
  expect([
    judge([watch(held)]),
    judge([watch({}), watch(held, elsewhere)]),
    judge([watch({}), watch(held, elsewhere)], { pageId: undefined }),
  ]).toEqual([
    [['bad', 'frozen for 4.0 s'], ['play-stalls', 'bad'], 'Your monitor stalls', `Its picture is frozen. ${ownAdvice}`],
    [
      ['bad', 'another page frozen for 4.0 s'],
      ['play-stalls', 'bad'],
      'A monitor on another page stalls',
      `Its picture is frozen. ${otherAdvice}`,
    ],
    [['bad', 'a page frozen for 4.0 s'], ['play-stalls', 'bad'], 'A monitor stalls', `Its picture is frozen. ${otherAdvice}`],
  ]);
  const recent = { recent: stalledTwice };
  expect([
    judge([watch({}, { ...recent, ...elsewhere })]).slice(2),
    judge([watch({ state: 'failed' }, elsewhere)]).slice(2),
    judge([watch({ state: 'failed' })]).slice(2),
  ]).toEqual([
    ['A monitor on another page stalls', `It stalled twice in the last minute, 3.2 s in all. ${otherAdvice}`],
    ['A monitor on another page does not play', `It cannot play the stream. ${otherAdvice}`],
    [
      'Your monitor does not play',
      `It cannot play the stream, so you do not see what viewers see. It keeps trying. ${ownAdvice}`,
    ],
  ]);
});

test('of monitors that are equally bad a page is told of its own', () => {
  const long: Partial<PlaybackReport> = { state: 'stalled', holdSeconds: 9 };
  const short: Partial<PlaybackReport> = { state: 'stalled', holdSeconds: 2 };
  expect(judge([watch(long, { pageId: 'elsewhere' }), watch(short)])[2]).toBe('Your monitor stalls');
});

test('of a one-click broadcast no field of OBS is advised', () => {
  const running: Extract<HealthFacts['oneClick'], { kind: 'running' }> = {
    ...{ kind: 'running', source: { kind: 'test-picture' }, since: 0, queueMs: 0, droppedFrames: 0, quality: '1080p30' },
  };
  const advise = (quality: '720p30' | '1080p30') =>
    judge([watch({ state: 'stalled', holdSeconds: 4 })], { oneClick: { ...running, quality } })[3];
  expect([advise('1080p30'), advise('720p30')]).toEqual([
    expect.stringContaining('If viewers see it too, choose a smaller picture. If only you'),
    expect.stringContaining("If viewers see it too, look at this computer's network. If only you"),
  ]);
});
