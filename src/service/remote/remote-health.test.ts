import { expect, test } from 'vitest';
import type { AirState, OneClickState } from '../../shared/model/live.ts';
import { testSource } from '../../shared/model/source.ts';
import { AnsweredSession, AnsweredStream } from './remote-answers.ts';
import { describeRemoteAir, judgeRemote, type RemoteFacts } from './remote-health.ts';
import { RemoteProgress } from './remote-progress.ts';

const profile = { name: '720p', bitrate: 3_000_000, fps: 0, width: 1280, height: 720 };
const stream = (changes: object = {}) =>
  AnsweredStream.parse({
    id: 's',
    name: 'Show',
    createdAt: 1,
    playbackId: 'p',
    streamKey: 'k',
    profiles: [profile],
    ...changes,
  });
const session = (changes: object = {}) =>
  AnsweredSession.parse({ id: 'b', name: 'Show', createdAt: 40_000, isActive: true, ...changes });
const settings = { width: 1280, height: 720, fps: 30, videoBitrateBps: 3e6, keyframeSeconds: 1, audioBitrateBps: 160_000 };
const common = { source: testSource, encode: { kind: 'automatic' }, settings, since: 41_000 } as const;
const running: OneClickState = { kind: 'running', ...common, away: [], queueMs: 0, droppedFrames: 0, steadySince: 0 };
const gained = { source: 0, transcoded: 0, sinceFirstMs: 0 };
const moving = { gained, activeSinceMs: 50_000, silentSinceMs: undefined, movedAtMs: 59_000 };
const active = { stream: stream({ isActive: true }), session: session() };

/** At 60 s, of a stream that became active at 50 s and has moved since. The service's clock is 10 s ahead. */
const facts = (changes: Partial<RemoteFacts>): RemoteFacts => ({
  now: 60_000,
  nowMs: 60_000,
  toTimeOfDay: (atMs) => atMs,
  clockAheadMs: 10_000,
  answer: active,
  progress: moving,
  failure: undefined,
  failingSinceMs: undefined,
  oneClick: { kind: 'idle' },
  elsewhere: undefined,
  isForeign: false,
  sound: [],
  isSilenceMeant: false,
  slept: undefined,
  sendingSinceMs: undefined,
  lostAtMs: undefined,
  playback: [],
  pageId: undefined,
  ...changes,
});
const idle = { answer: { stream: stream(), session: undefined }, progress: new RemoteProgress() };
const onAirElsewhere = { kind: 'on-air', since: 45_000, sessionId: 'jfk-45000' } as const;
const failure = { code: 'server-error', status: 500 } as const;
const still = { stalls: 0, stalledSeconds: 0, droppedFrames: 0, decodedFrames: 1_800 };
/** We have sent for 15 s to a region that the service doesn't speak for, where the broadcast is on air. */
const elsewhere = (changes: Partial<Extract<AirState, { kind: 'on-air' }>>) => ({
  ...idle,
  oneClick: running,
  sendingSinceMs: 45_000,
  elsewhere: { region: 'jfk', air: { ...onAirElsewhere, ...changes } },
});
const stalledMonitor = {
  pageId: 'here',
  report: { state: 'stalled', holdSeconds: 9, ...still },
  recent: still,
  isStarted: true,
  isSettled: true,
} as const;

test.each<[string, Partial<RemoteFacts>, unknown]>([
  ['idle', idle, { kind: 'off-air' }],
  ['not yet answered', { answer: undefined }, { kind: 'off-air' }],
  ['sent to, and not active yet', { ...idle, oneClick: running }, { kind: 'connecting', since: 41_000 }],
  [
    'about to be sent to, and not active yet',
    { ...idle, oneClick: { kind: 'starting', ...common } },
    { kind: 'connecting', since: 41_000 },
  ],
  ['active, by the time of its session', {}, { kind: 'on-air', since: 30_000, sessionId: 'b' }],
  [
    'active, of a service that lists no sessions',
    { answer: { ...active, session: undefined } },
    { kind: 'on-air', since: 50_000, sessionId: 's' },
  ],
  [
    'active, while its newest session is one that has ended',
    { answer: { ...active, session: session({ isActive: false }) } },
    { kind: 'on-air', since: 50_000, sessionId: 's' },
  ],
  [
    'active, but nothing moves',
    { progress: { gained, activeSinceMs: 50_000, silentSinceMs: 51_000, movedAtMs: 51_000 } },
    { kind: 'on-air', since: 30_000, sessionId: 'b', silentSince: 51_000 },
  ],
  [
    'active, whose counters stopped while we were reconnecting',
    {
      oneClick: running,
      sendingSinceMs: 51_000,
      progress: { gained, activeSinceMs: 30_000, silentSinceMs: 35_000, movedAtMs: 35_000 },
    },
    { kind: 'on-air', since: 30_000, sessionId: 'b' },
  ],
  [
    'active, whose counters have not moved for 10 s since we reconnected',
    {
      oneClick: running,
      sendingSinceMs: 50_000,
      progress: { gained, activeSinceMs: 30_000, silentSinceMs: 35_000, movedAtMs: 35_000 },
    },
    { kind: 'on-air', since: 30_000, sessionId: 'b', silentSince: 50_000 },
  ],
  [
    'still active while we reconnect',
    {
      oneClick: {
        kind: 'retrying',
        ...common,
        away: [],
        attempt: 1,
        retryAt: 61_000,
        failure: { code: 'closed', during: 'sending' },
      },
      lostAtMs: 59_000,
    },
    { kind: 'reconnecting', since: 30_000, sessionId: 'b', lostAt: 59_000 },
  ],
  [
    'still active when it is stopped while we reconnect',
    { oneClick: { kind: 'stopping', ...common }, lostAtMs: 59_000 },
    { kind: 'reconnecting', since: 30_000, sessionId: 'b', lostAt: 59_000 },
  ],
  [
    "another program's while we try again",
    {
      oneClick: { kind: 'retrying', ...common, away: [], attempt: 1, retryAt: 61_000, failure: { code: 'already-publishing' } },
      lostAtMs: 59_000,
      isForeign: true,
    },
    { kind: 'on-air', since: 30_000, sessionId: 'b' },
  ],
  [
    'inactive to its service, but on air in a region that it does not speak for',
    { ...idle, oneClick: running, elsewhere: { region: 'jfk', air: onAirElsewhere } },
    onAirElsewhere,
  ],
])('a remote stream that is %s has this air state', (_, changes, air) => {
  expect(describeRemoteAir(facts(changes))).toEqual(air);
});

test.each<[string, Partial<RemoteFacts>, string[], unknown]>([
  ['an idle stream', idle, [], undefined],
  ['a stream that another program sends', {}, ['ingest'], { code: 'good', severity: 'good' }],
  [
    'a stream that we send',
    { oneClick: running, sendingSinceMs: 50_000 },
    ['capture', 'upload', 'ingest'],
    { code: 'good', severity: 'good' },
  ],
  [
    'a stream that we send, after this computer slept',
    { oneClick: running, sendingSinceMs: 50_000, slept: { kind: 'slept', from: 35_000, to: 49_000 } },
    ['capture', 'upload', 'ingest'],
    { code: 'slept', severity: 'warn', sleep: { kind: 'slept', from: 35_000, to: 49_000 } },
  ],
  [
    'a stream that we send without sound',
    { oneClick: running, sendingSinceMs: 50_000, sound: [{ code: 'silent', severity: 'warn' }] },
    ['capture', 'upload', 'ingest'],
    { code: 'silent', severity: 'warn', stage: 'capture', mayBeWithheld: false },
  ],
  [
    'a stream that we send while the service is silent',
    { oneClick: running, sendingSinceMs: 50_000, failure },
    ['capture', 'upload'],
    { code: 'service-silent', severity: 'warn', failure, isSending: true },
  ],
  [
    'a stream that we send without sound while the service is silent',
    { oneClick: running, sendingSinceMs: 50_000, sound: [{ code: 'silent', severity: 'warn' }], failure },
    ['capture', 'upload'],
    { code: 'silent', severity: 'warn', stage: 'capture', mayBeWithheld: false },
  ],
  [
    'a stream that another program sends while the service is silent',
    { failure },
    [],
    { code: 'service-silent', severity: 'warn', failure, isSending: false },
  ],
  [
    'a stream whose monitor stalls since the service is silent',
    { failure, playback: [stalledMonitor], pageId: 'here' },
    ['play'],
    { code: 'service-silent', severity: 'warn', failure, isSending: false },
  ],
  [
    'a stream whose monitor stalls though the service answers',
    { playback: [stalledMonitor], pageId: 'here' },
    ['ingest', 'play'],
    expect.objectContaining({ code: 'play-stalls', severity: 'bad' }),
  ],
  [
    'an idle stream while the service is silent',
    { ...idle, failure },
    [],
    { code: 'service-silent', severity: 'warn', failure, isSending: false },
  ],
  [
    'a stream that we send, on a service whose counters have stopped',
    {
      oneClick: running,
      sendingSinceMs: 40_000,
      progress: { gained, activeSinceMs: 40_000, silentSinceMs: 50_000, movedAtMs: 50_000 },
    },
    ['capture', 'upload'],
    { code: 'service-stalled', severity: 'bad' },
  ],
  [
    'a stream whose counters have stopped because our upload is too slow',
    {
      oneClick: { ...running, queueMs: 900 },
      sendingSinceMs: 40_000,
      progress: { gained, activeSinceMs: 40_000, silentSinceMs: 50_000, movedAtMs: 50_000 },
    },
    ['capture', 'upload'],
    { code: 'upload-slow', severity: 'bad', queueMs: 900, droppedFrames: 0 },
  ],
  [
    'a stream whose counters have stopped, though our upload is only tight',
    {
      oneClick: { ...running, queueMs: 300 },
      sendingSinceMs: 40_000,
      progress: { gained, activeSinceMs: 40_000, silentSinceMs: 50_000, movedAtMs: 50_000 },
    },
    ['capture', 'upload'],
    { code: 'service-stalled', severity: 'bad' },
  ],
  [
    'a stream that we send too slowly while the service is silent',
    { oneClick: { ...running, queueMs: 900 }, sendingSinceMs: 50_000, failure },
    ['capture', 'upload'],
    { code: 'upload-slow', severity: 'bad', queueMs: 900, droppedFrames: 0 },
  ],
  [
    'a stream of a service that stopped answering after its counters had stopped',
    { failure, progress: { gained, activeSinceMs: 40_000, silentSinceMs: 50_000, movedAtMs: 50_000 } },
    [],
    { code: 'service-silent', severity: 'warn', failure, isSending: false },
  ],
  [
    'a stream that we have sent for 14 s',
    { ...idle, oneClick: running, sendingSinceMs: 46_000 },
    ['capture', 'upload'],
    undefined,
  ],
  [
    'a stream that we have sent for 15 s, and that is not active',
    { ...idle, oneClick: running, sendingSinceMs: 45_000 },
    ['capture', 'upload'],
    { code: 'service-inactive', severity: 'warn', forMs: 15_000 },
  ],
  [
    'a stream that is on air in a region that its service does not speak for',
    {
      ...elsewhere({}),
      progress: { ...moving, activeSinceMs: undefined, gained: { source: 60, transcoded: 0, sinceFirstMs: 600_000 } },
    },
    ['capture', 'upload'],
    { code: 'good', severity: 'good' },
  ],
  [
    'a stream that such a region plays no more',
    elsewhere({ silentSince: 50_000 }),
    ['capture', 'upload'],
    { code: 'region-stopped', severity: 'bad', region: 'jfk', ofService: true },
  ],
  [
    'a stream of which such a region does not show the playlist any more',
    elsewhere({ unseenSince: 50_000 }),
    ['capture', 'upload'],
    { code: 'region-unseen', severity: 'warn', region: 'jfk', ofService: true },
  ],
  [
    'a stream of which such a region has not shown the playlist for 15 s',
    {
      ...elsewhere({}),
      elsewhere: { region: 'jfk', air: { kind: 'connecting', since: 45_000, awaiting: 'playlist' } },
    },
    ['capture', 'upload'],
    { code: 'region-unseen', severity: 'warn', region: 'jfk', ofService: true },
  ],
  [
    'a stream that we have sent for 15 s, too slowly',
    { ...idle, oneClick: { ...running, queueMs: 900 }, sendingSinceMs: 45_000 },
    ['capture', 'upload'],
    { code: 'upload-slow', severity: 'bad', queueMs: 900, droppedFrames: 0 },
  ],
  [
    'a stream that is new, and whose renditions are the usual five segments behind',
    { progress: { ...moving, gained: { source: 40, transcoded: 35, sinceFirstMs: 80_000 } } },
    ['ingest'],
    { code: 'good', severity: 'good' },
  ],
  [
    'a stream that is new, and whose renditions are further behind',
    { progress: { ...moving, gained: { source: 40, transcoded: 34, sinceFirstMs: 80_000 } } },
    ['ingest'],
    { code: 'renditions-behind', severity: 'warn', made: 34, expected: 40 },
  ],
  [
    'a stream whose renditions keep up, wherever they are',
    { progress: { ...moving, gained: { source: 12, transcoded: 9, sinceFirstMs: 200_000 } } },
    ['ingest'],
    { code: 'good', severity: 'good' },
  ],
  [
    'a stream whose renditions fall behind',
    { progress: { ...moving, gained: { source: 12, transcoded: 8, sinceFirstMs: 200_000 } } },
    ['ingest'],
    { code: 'renditions-behind', severity: 'warn', made: 8, expected: 12 },
  ],
  [
    'a stream whose monitor stalls and whose renditions fall behind',
    {
      progress: { ...moving, gained: { source: 12, transcoded: 8, sinceFirstMs: 200_000 } },
      playback: [stalledMonitor],
      pageId: 'here',
    },
    ['ingest', 'play'],
    expect.objectContaining({ code: 'play-stalls', severity: 'bad' }),
  ],
  [
    'a stream without renditions',
    {
      answer: { ...active, stream: stream({ isActive: true, profiles: undefined }) },
      progress: { ...moving, gained: { source: 40, transcoded: 0, sinceFirstMs: 200_000 } },
    },
    ['ingest'],
    { code: 'good', severity: 'good' },
  ],
  [
    'a stream of which nothing moves',
    { progress: { gained, activeSinceMs: 50_000, silentSinceMs: 51_000, movedAtMs: 51_000 } },
    ['ingest'],
    { code: 'nothing-arrives', severity: 'bad', isBack: false, isOwn: false },
  ],
])('%s has these stages and this verdict', (_, changes, stages, verdict) => {
  const judged = judgeRemote(facts(changes));
  expect([judged.stages.map(({ stage }) => stage), judged.verdict]).toEqual([stages, verdict]);
});

test.each<[string, Partial<RemoteFacts>, string[], number]>([
  ['an idle stream', idle, [], 0],
  ['a stream that another program sends', {}, ['good'], 0],
  [
    'a stream that we send over a tight upload, on a service whose counters have stopped',
    {
      oneClick: { ...running, queueMs: 300 },
      sendingSinceMs: 40_000,
      progress: { gained, activeSinceMs: 40_000, silentSinceMs: 50_000, movedAtMs: 50_000 },
    },
    ['service-stalled', 'upload-tight'],
    10_000,
  ],
  [
    'a stream of which nothing moves',
    { progress: { gained, activeSinceMs: 50_000, silentSinceMs: 51_000, movedAtMs: 51_000 } },
    ['nothing-arrives'],
    9_000,
  ],
  ['a stream of a service that has been silent for 12 s', { failure, failingSinceMs: 48_000 }, ['service-silent'], 12_000],
  ['a stream of a service that has just become silent', { failure }, ['service-silent'], 0],
  [
    'a stream that we send too slowly while the service is silent',
    { oneClick: { ...running, queueMs: 900 }, sendingSinceMs: 50_000, failure, failingSinceMs: 48_000 },
    ['upload-slow', 'service-silent'],
    0,
  ],
])('%s has these troubles, and the verdict has been true for this long', (_, changes, codes, lastedMs) => {
  const judged = judgeRemote(facts(changes));
  expect([[...new Set(judged.troubles.map(({ code }) => code))], judged.lastedMs]).toEqual([codes, lastedMs]);
});

test('renditions may be five segments each behind at first, three later, and a tenth of many', () => {
  const judge = (profiles: number, source: number, missing: number, sinceFirstMs: number) => {
    const answer = { ...active, stream: stream({ isActive: true, profiles: Array(profiles).fill(profile) }) };
    const gained = { source, transcoded: source * profiles - missing, sinceFirstMs };
    return judgeRemote(facts({ answer, progress: { ...moving, gained } })).verdict?.code;
  };
  const isBehind = (code: string | undefined) => code === 'renditions-behind';
  expect(
    [
      judge(2, 40, 10, 169_999),
      judge(2, 40, 11, 169_999),
      judge(2, 12, 6, 170_000),
      judge(2, 12, 7, 170_000),
      judge(1, 100, 10, 170_000),
      judge(1, 100, 11, 170_000),
    ].map(isBehind),
  ).toEqual([false, true, false, true, false, true]);
});

test.each([2, 3, 4, 6, 10])(
  'renditions that are always five segments of %i s behind keep up, and one that stops does not',
  (segmentSeconds) => {
    const profiles = [profile, { ...profile, name: '480p' }];
    const progress = new RemoteProgress();
    const judgeAt = (second: number, made: (source: number) => number) => {
      const source = Math.floor(second / segmentSeconds);
      const answer = {
        stream: stream({ isActive: true, profiles, lastSeen: second }),
        session: session({ sourceSegments: source, transcodedSegments: made(source) }),
      };
      progress.note(answer, second * 1_000);
      return judgeRemote(facts({ answer, progress, nowMs: second * 1_000 })).verdict?.code;
    };
    const codes = new Set<string | undefined>();
    for (let second = 0; second <= 600; second += 2) codes.add(judgeAt(second, (source) => 2 * Math.max(0, source - 5)));
    expect([...codes]).toEqual(['good']);
    const stoppedAt = Math.floor(600 / segmentSeconds) - 5;
    let toldAfter: number | undefined;
    for (let second = 602; second <= 720; second += 2) {
      const code = judgeAt(second, (source) => Math.max(0, source - 5) + stoppedAt);
      if (code === 'renditions-behind') toldAfter ??= second - 600;
    }
    expect(toldAfter).toBeLessThan(100);
  },
);

test.each([1, 2, 4, 6])('one stopped rendition of %i is reported, with segments of 10 s', (count) => {
  const answer = { ...active, stream: stream({ isActive: true, profiles: Array(count).fill(profile) }) };
  const gained = { source: 12, transcoded: 12 * (count - 1), sinceFirstMs: 600_000 };
  expect(judgeRemote(facts({ answer, progress: { ...moving, gained } })).verdict?.code).toBe('renditions-behind');
});
