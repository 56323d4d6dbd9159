import { expect, test } from 'vitest';
import type { AirState, OneClickState } from '../../shared/model/live.ts';
import type { RemoteFailure } from '../../shared/model/remote-failure.ts';
import type { Sleep } from '../../shared/model/sleep.ts';
import { testSource } from '../../shared/model/source.ts';
import { PlayReports } from '../health/play-reports.ts';
import { AnsweredSession, AnsweredStream } from './remote-answers.ts';
import type { RemoteApi } from './remote-api.ts';
import type { RemoteBroadcast } from './remote-broadcast.ts';
import { RemoteError } from './remote-error.ts';
import { RemoteStream } from './remote-stream.ts';

const settings = { width: 1280, height: 720, fps: 30, videoBitrateBps: 3e6, keyframeSeconds: 1, audioBitrateBps: 160_000 };
const common = { source: testSource, encode: { kind: 'automatic' }, settings, since: 0 } as const;
const starting: OneClickState = { kind: 'starting', ...common };
const running: OneClickState = { kind: 'running', ...common, away: [], queueMs: 0, droppedFrames: 0, steadySince: 0 };
const retrying: OneClickState = {
  kind: 'retrying',
  ...common,
  away: [],
  attempt: 1,
  retryAt: 0,
  failure: { code: 'closed', during: 'sending' },
};
const stopping: OneClickState = { kind: 'stopping', ...common };
const failed = (code: 'taken-over' | 'key-refused', at: number): OneClickState => ({
  kind: 'failed',
  source: testSource,
  at,
  failure: { code },
  stderr: [],
});

const stored = { id: 'show', name: 'Show', createdAt: 1, playbackId: 'p', streamKey: 'k', profiles: [] };

/** A stream that one click sends, whose state and answers the test decides; its clock shows milliseconds. */
function openStream() {
  let now = 0;
  let oneClick: OneClickState = { kind: 'idle' };
  let getStream = () => Promise.resolve(answer(true));
  let sleep: Sleep | undefined;
  let listSessions: () => Promise<unknown[]> = () => Promise.resolve([]);
  const clock = { now: () => now, monotonicMs: () => now };
  const playReports = new PlayReports({ clock, onChange: () => {} });
  const api = {
    clockAheadMs: 0,
    poll: (read: () => Promise<unknown>) => read(),
    getStream: () => getStream(),
    listSessions: () => listSessions(),
  } as unknown as RemoteApi;
  const stream = new RemoteStream({
    serviceId: 'team',
    id: 'show',
    clock,
    isRemoved: () => false,
    service: () => ({ name: 'Team', api }),
    oneClick: () => oneClick,
    sentMeters: () => ({ measuredAt: 1_000 }),
    sound: () => [],
    isSilenceMeant: () => false,
    lastChoice: () => undefined,
    playReports,
    findSleep: () => sleep,
    onAnswer: () => {},
    onChange: () => {},
  });
  const answer = (isActive: boolean, lastSeen = 0, sourceSegments = 0) =>
    AnsweredStream.parse({ ...stored, isActive, lastSeen, sourceSegments });
  const readOnce = async () => {
    const stop = stream.need();
    await stream.nextRead();
    stop();
  };
  return {
    stream,
    /** One click's state at this time, and whether the service then calls the stream active. Returns whether it is on air and lost. */
    at(atMs: number, state: OneClickState, isActive: boolean, segments?: number) {
      const mayBeLoss = [oneClick.kind, state.kind].includes('retrying');
      now = atMs;
      oneClick = state;
      if (mayBeLoss) stream.followOneClick();
      stream.noteStream(answer(isActive, 0, segments));
      const { lost, stream: view } = stream.live(undefined, undefined) ?? {};
      expect(view?.lost?.sessionId).toBe(lost?.sessionId);
      return [view?.air.kind, lost && [lost.reason, lost.startedAt, lost.endedAt]];
    },
    /** A page reports at this time that its monitor has stalled for this long altogether. The code of the verdict. */
    stall(atMs: number, state: OneClickState, stalledSeconds: number) {
      now = atMs;
      oneClick = state;
      stream.noteStream(answer(true, atMs));
      const sums = { stalls: 1, droppedFrames: 0, decodedFrames: atMs };
      playReports.add('team~show', 'page', { state: 'playing', stalledSeconds, ...sums });
      return stream.live('page', undefined)?.verdict?.code;
    },
    /** At this time the service is polled, and answers that the stream is active, with or without new media, or fails. */
    async poll(atMs: number, how: 'moves' | 'stands' | 'fails') {
      now = atMs;
      const lastSeen = how === 'moves' ? atMs : 0;
      getStream = () =>
        how !== 'fails' ? Promise.resolve(answer(true, lastSeen)) : Promise.reject(new RemoteError({ code: 'closed' }));
      await readOnce();
    },
    /** The service is polled, and answers its list of sessions like this. Returns the stream as shown then. */
    async list(answered: () => Promise<unknown[]>) {
      listSessions = answered;
      await readOnce();
      return stream.live(undefined, undefined);
    },
    /** At this time one click does this, and the service, if it is asked, answers that the stream is active or isn't, or fails. */
    async follow(atMs: number, state: OneClickState, answered: boolean | RemoteFailure) {
      now = atMs;
      oneClick = state;
      getStream = () =>
        typeof answered === 'boolean' ? Promise.resolve(answer(answered)) : Promise.reject(new RemoteError(answered));
      stream.followOneClick();
      // A poll under way was sent earlier, so wait for one more.
      for (let read = 0; read < 2 && stream.isPolled; read += 1) {
        stream.readSoon();
        await stream.nextRead();
      }
    },
    /** At this time one click does this. Returns since when its media are lost, as shown then. */
    loseAt(atMs: number, state: OneClickState) {
      now = atMs;
      oneClick = state;
      stream.followOneClick();
      const { air } = stream.live(undefined, undefined)?.stream ?? {};
      return air?.kind === 'reconnecting' ? air.lostAt : air?.kind;
    },
    /** The computer has slept, and this is reported from now on. */
    wake(slept: Sleep) {
      sleep = slept;
    },
    /**
     * One click sends to a region that its service may not speak for; `see` gives the broadcast there as seen from here. Returns what of it
     * has been closed.
     */
    begin(see: () => AirState | undefined) {
      const closed: string[] = [];
      const broadcast = {
        see: () => {
          const air = see();
          return air && { region: 'jfk', air };
        },
        get isPlaying() {
          return see()?.kind === 'on-air';
        },
        follow: () => {},
        noteActive: () => {},
        close: () => closed.push('broadcast'),
        route: {
          region: { code: 'jfk', ingest: 'rtmp://jfk/live', playback: 'https://jfk/hls' },
          offer: undefined,
          close: () => closed.push('route'),
        },
      };
      stream.begin(broadcast as unknown as RemoteBroadcast);
      return closed;
    },
    lines: () => (stream.live(undefined, undefined)?.log ?? []).map(({ at, event }) => [at, event]),
  };
}

test('a broadcast that its service ends while the ingest is tried again is lost, until it is back or dismissed', () => {
  const { at, stream } = openStream();
  expect(at(1_000, running, true)).toEqual(['on-air', undefined]);
  expect(at(60_000, retrying, true)).toEqual(['reconnecting', undefined]);
  const lost = ['off-air', ['encoder-failed', 1_000, 120_000]];
  expect(at(120_000, retrying, false)).toEqual(lost);
  expect(at(130_000, retrying, false)).toEqual(lost);
  expect(at(135_000, failed('key-refused', 135_000), false)).toEqual(lost);
  stream.dismissLost();
  expect(at(140_000, retrying, false)).toEqual(['off-air', undefined]);
  expect(at(150_000, running, true)).toEqual(['on-air', undefined]);
});

test('its media are lost from when the ingest is lost, or from the silence that was noticed before, until they are sent again', async () => {
  const { follow, loseAt, poll } = openStream();
  await follow(500, running, true);
  await poll(4_000, 'moves');
  expect([loseAt(8_000, retrying), loseAt(9_000, retrying), loseAt(10_000, stopping)]).toEqual([8_000, 8_000, 8_000]);
  expect(loseAt(11_000, running)).toBe('on-air');
  await poll(12_000, 'moves');
  await poll(23_000, 'stands');
  await poll(34_000, 'stands');
  expect(loseAt(35_000, retrying)).toBe(23_000);
});

test('a broadcast that another program has taken over is no more ours while the ingest is tried again', async () => {
  const { at, follow, stream } = openStream();
  await follow(500, starting, true);
  await follow(1_000, retrying, true);
  expect(at(2_000, retrying, true, 1)).toEqual(['reconnecting', undefined]);
  expect(stream.live(undefined, undefined)?.meters).toEqual({ measuredAt: 1_000 });
  expect(at(4_000, retrying, true, 2)).toEqual(['on-air', undefined]);
  // The other program's media can't be measured here.
  expect(stream.live(undefined, undefined)?.meters).toBeUndefined();
  // The broadcast was never lost from here.
  expect(at(60_000, retrying, false)).toEqual(['off-air', undefined]);
});

test('a stream that another program has taken over is on air while ours is stopped', async () => {
  const { at, follow } = openStream();
  await follow(500, starting, true);
  await follow(1_000, retrying, true);
  at(2_000, retrying, true, 1);
  at(4_000, retrying, true, 2);
  await follow(5_000, stopping, true);
  expect(at(5_000, stopping, true, 3)).toEqual(['on-air', undefined]);
});

test.each([
  ['calls it inactive', false, ['idle', 'off-air', false]],
  ['does not answer', { code: 'closed' } as const, ['idle', 'reconnecting', true]],
])(
  'after Stop while its media are lost, it is stopping until the next poll, when its service %s',
  async (_what, answered, then) => {
    const { follow, stream } = openStream();
    const shown = () => {
      const { oneClick, stream: view } = stream.live(undefined, undefined) ?? {};
      return [oneClick?.kind, view?.air.kind, view?.isUnheard];
    };
    await follow(500, running, true);
    await follow(1_000, retrying, true);
    stream.oneClick.begin();
    await follow(2_000, { kind: 'idle' }, true);
    expect(shown()).toEqual(['stopping', 'reconnecting', false]);
    const polled = follow(3_000, { kind: 'idle' }, answered);
    stream.oneClick.end(3_000);
    stream.readSoon();
    expect(shown()).toEqual(['stopping', 'reconnecting', false]);
    await polled;
    expect([...shown(), stream.isPolled]).toEqual([...then, false]);
  },
);

test('one that is started again before its service was asked about the stop is starting', async () => {
  const { follow, stream } = openStream();
  await follow(500, running, true);
  stream.oneClick.begin();
  await follow(2_000, starting, true);
  stream.oneClick.end(2_000);
  await follow(3_000, starting, true);
  expect(stream.live(undefined, undefined)?.oneClick.kind).toBe('starting');
  await follow(4_000, { kind: 'idle' }, true);
  expect(stream.live(undefined, undefined)?.oneClick.kind).toBe('idle');
});

test('one that was never on air is not lost', () => {
  const { at } = openStream();
  expect(at(1_000, retrying, false)).toEqual(['off-air', undefined]);
  expect(at(2_000, failed('key-refused', 2_000), false)).toEqual(['off-air', undefined]);
});

test('one that failed is lost, but while another encoder that took over is on air, nothing has ended', () => {
  const { at } = openStream();
  at(1_000, running, true);
  expect(at(5_000, failed('key-refused', 5_000), true)).toEqual(['on-air', ['encoder-failed', 1_000, 5_000]]);
  expect(at(5_000, failed('taken-over', 5_000), true)).toEqual(['on-air', undefined]);
  expect(at(9_000, failed('taken-over', 5_000), false)).toEqual(['off-air', ['encoder-failed', 1_000, 5_000]]);
});

/** What the screens show of a stream: one click, its air state, the verdict, and whether there is a failure to read. */
function show({ stream }: ReturnType<typeof openStream>) {
  const { oneClick, stream: view, verdict, lost } = stream.live(undefined, undefined) ?? {};
  return [oneClick?.kind, view?.air.kind, verdict?.code, lost?.reason];
}

test('a broadcast that has failed is not on air, though its service calls the stream active and was heard of it since', async () => {
  const opened = openStream();
  const { follow, poll, stream } = opened;
  await follow(1_000, running, true);
  await follow(5_000, failed('key-refused', 5_000), true);
  const lost = ['failed', 'reconnecting', 'go-live-failed', 'encoder-failed'];
  expect(show(opened)).toEqual(lost);
  // A service may update `lastSeen` while it waits for us.
  await poll(7_000, 'moves');
  expect(show(opened)).toEqual(lost);
  expect(stream.view()?.air).toMatchObject({ kind: 'reconnecting', lostAt: 5_000 });
});

test('a failed broadcast whose service has ended it leaves the stream to the next publisher', async () => {
  const { at, follow } = openStream();
  await follow(1_000, running, true);
  await follow(5_000, failed('key-refused', 5_000), true);
  at(9_000, failed('key-refused', 5_000), false);
  expect(at(11_000, failed('key-refused', 5_000), true)[0]).toBe('on-air');
});

test('one that failed before anything of it was sent leaves the broadcast of another program on air', async () => {
  const { at, follow } = openStream();
  await follow(500, starting, true);
  await follow(1_000, retrying, true);
  expect(at(2_000, failed('key-refused', 2_000), true)).toEqual(['on-air', undefined]);
});

test('one that is stopped before anything of it was sent leaves the broadcast of another program on air', async () => {
  const opened = openStream();
  const { follow, stream } = opened;
  await follow(500, starting, true);
  await follow(1_000, retrying, true);
  stream.oneClick.begin();
  await follow(2_000, stopping, true);
  expect(show(opened).slice(0, 2)).toEqual(['stopping', 'on-air']);
  await follow(2_000, { kind: 'idle' }, true);
  stream.oneClick.end(2_000);
  await follow(3_000, { kind: 'idle' }, true);
  expect(show(opened).slice(0, 2)).toEqual(['idle', 'on-air']);
});

test('after Stop it is stopping while its service calls it active, for ten seconds, and then the service is said to hold it', async () => {
  const opened = openStream();
  const { follow, stream } = opened;
  await follow(500, running, true);
  stream.oneClick.begin();
  await follow(2_000, { kind: 'idle' }, true);
  stream.oneClick.end(2_000);
  await follow(4_000, { kind: 'idle' }, true);
  expect([...show(opened), stream.isPolled]).toEqual(['stopping', 'reconnecting', undefined, undefined, true]);
  await follow(12_000, { kind: 'idle' }, true);
  expect([...show(opened), stream.isPolled]).toEqual(['idle', 'reconnecting', 'service-holds', undefined, false]);
  expect([stream.view()?.air, stream.isNeeded]).toMatchObject([{ lostAt: 2_000, isEndedHere: true }, true]);
  // As a page or the list of streams asks.
  opened.at(60_000, { kind: 'idle' }, false);
  expect([...show(opened), stream.isNeeded]).toEqual(['idle', 'off-air', undefined, undefined, false]);
});

test("after Stop, segments that keep coming are another program's, which is on air", async () => {
  const opened = openStream();
  const { follow, stream, at } = opened;
  await follow(500, running, true);
  stream.oneClick.begin();
  await follow(2_000, { kind: 'idle' }, true);
  stream.oneClick.end(2_000);
  const seen = [12_000, 14_000, 16_000].map((atMs, segment) => at(atMs, { kind: 'idle' }, true, 1 + segment)[0]);
  expect(seen).toEqual(['reconnecting', 'reconnecting', 'on-air']);
});

test('one that is started while its service still holds the last one is not on air before it sends', async () => {
  const { at, follow, stream } = openStream();
  await follow(500, running, true);
  stream.oneClick.begin();
  await follow(2_000, { kind: 'idle' }, true);
  stream.oneClick.end(2_000);
  await follow(3_000, starting, true);
  expect(at(3_000, starting, true)).toEqual(['reconnecting', undefined]);
  await follow(4_000, running, true);
  expect(at(4_000, running, true)).toEqual(['on-air', undefined]);
});

test('what a monitor saw of a pause of our upload is not its own trouble, what it sees once that is steady is', () => {
  const { stall } = openStream();
  const dropped = { ...running, steadySince: 30_000 };
  for (let nowMs = 0; nowMs <= 60_000; nowMs += 1_000) expect(stall(nowMs, dropped, nowMs < 40_000 ? 0 : 5)).toBe('good');
  expect(stall(61_000, dropped, 10)).toBe('play-stalls');
});

test('what was wrong with a broadcast from here is in its log, from when to when, and marks it in the list meanwhile', async () => {
  const { stream, at, poll, lines } = openStream();
  at(0, running, true);
  await poll(2_000, 'fails');
  await poll(4_000, 'fails');
  await poll(6_000, 'fails');
  const silent = { code: 'service-silent', severity: 'warn', isSending: true };
  expect([stream.view()?.severity, stream.live(undefined, undefined)?.stream.severity]).toEqual(['warn', 'warn']);
  const onAir = [0, { code: 'on-air', afterMs: 0 }];
  expect(lines()).toMatchObject([[2_000, { code: 'trouble-began', verdict: silent }], onAir]);
  await poll(8_000, 'moves');
  await poll(14_000, 'moves');
  expect([stream.view()?.severity, stream.live(undefined, undefined)?.stream.severity]).toEqual([undefined, undefined]);
  expect(lines()).toMatchObject([
    [8_000, { code: 'trouble-ended', verdict: silent, afterMs: 6_000 }],
    [2_000, { code: 'trouble-began', verdict: silent }],
    onAir,
  ]);
});

test('a sleep of this computer is logged once for what it sends, and not if it was over before', () => {
  const { at, lines, wake } = openStream();
  wake({ kind: 'slept', from: -60_000, to: -1_000 });
  at(0, running, true);
  const sleep: Sleep = { kind: 'slept', from: 10_000, to: 30_000 };
  wake(sleep);
  at(31_000, running, true);
  at(32_000, running, true);
  expect(lines()).toEqual([
    [31_000, { code: 'slept', sleep }],
    [0, { code: 'on-air', afterMs: 0 }],
  ]);
});

test('a service whose numbers stop is logged from when they stopped, and no trouble is left when the broadcast ends', async () => {
  const { at, poll, lines } = openStream();
  for (let nowMs = 0; nowMs <= 14_000; nowMs += 2_000) at(nowMs, running, true);
  await poll(16_000, 'stands');
  await poll(18_000, 'stands');
  const stalled = { code: 'service-stalled', severity: 'bad' };
  expect(lines()).toMatchObject([
    [0, { code: 'trouble-began', verdict: stalled }],
    [0, { code: 'on-air', afterMs: 0 }],
  ]);
  at(20_000, { kind: 'idle' }, false);
  await poll(20_000, 'stands');
  expect(lines()[0]).toMatchObject([20_000, { code: 'trouble-ended', verdict: stalled, afterMs: 20_000 }]);
});

test('a broadcast that has failed is asked for until its service says that it is over', async () => {
  const { stream, follow } = openStream();
  await follow(1_000, running, true);
  const over = failed('key-refused', 5_000);
  await follow(5_000, over, true);
  expect(stream.isPolled).toBe(true);
  await follow(9_000, over, { code: 'closed' });
  expect(stream.isPolled).toBe(true);
  await follow(70_000, over, false);
  expect(stream.isPolled).toBe(false);
});

test.each<[string, OneClickState, boolean | RemoteFailure]>([
  ['another encoder took over', failed('taken-over', 5_000), true],
  ['its stream is not there any more', failed('key-refused', 5_000), { code: 'no-such-stream' }],
  ['its service has said otherwise for ten minutes', failed('key-refused', -595_000), true],
])('one that has failed is not asked for any more once %s', async (_what, state, answered) => {
  const { stream, follow } = openStream();
  await follow(1_000, running, true);
  await follow(5_000, state, answered);
  expect(stream.isPolled).toBe(false);
});

test('nothing is asked for any more once the service is removed', async () => {
  const { stream, follow } = openStream();
  await follow(1_000, running, true);
  await follow(5_000, failed('key-refused', 5_000), true);
  stream.close();
  expect(stream.isPolled).toBe(false);
});

const session = AnsweredSession.parse({ ...stored, id: 'session', isActive: true, lastSeen: 0 });
/** The answer of a service without this call, or of a proxy whose service restarts. */
const notOffered = (status: 404 | 405 | 501) => () => Promise.reject(new RemoteError({ code: 'not-offered', status }));

test.each([404, 405, 501] as const)('a service that has listed sessions and then says %i has failed once', async (status) => {
  const { list } = openStream();
  const listed = async () => [session];
  const onAir = { stream: { air: { kind: 'on-air', sessionId: 'session' } }, session: { id: 'session' } };
  expect(await list(listed)).toMatchObject({ ...onAir, service: { failure: undefined } });
  expect(await list(notOffered(status))).toMatchObject({ ...onAir, service: { failure: { code: 'not-offered', status } } });
  expect(await list(listed)).toMatchObject({ ...onAir, service: { failure: undefined } });
});

test('a service that says at first that it lists no sessions is asked again, and works without from the third time on', async () => {
  const { list } = openStream();
  let asked = 0;
  const answer = () => {
    asked += 1;
    return notOffered(404)();
  };
  for (let poll = 0; poll < 6; poll += 1) {
    expect(await list(answer)).toMatchObject({
      stream: { air: { kind: 'on-air' } },
      session: undefined,
      service: { failure: undefined },
    });
  }
  expect(asked).toBe(3);
});

test('sessions are shown, though the service said at first that it lists none', async () => {
  const { list } = openStream();
  await list(notOffered(404));
  expect(await list(async () => [session])).toMatchObject({ session: { id: 'session' } });
});

const jfkSession = { since: 3_000, sessionId: 'jfk-3000' };

test('a broadcast that is on air in a region its service does not speak for is shown and logged as seen there', async () => {
  const { stream, at, follow, begin, lines } = openStream();
  let seen: AirState | undefined;
  begin(() => seen);
  await follow(1_000, running, false);
  expect(at(2_000, running, false)).toEqual(['connecting', undefined]);
  seen = { kind: 'on-air', ...jfkSession };
  expect(at(3_000, running, false)).toEqual(['on-air', undefined]);
  const region = { code: 'jfk', isOwn: false, ingest: 'rtmp://jfk/live', playback: 'https://jfk/hls' };
  expect(stream.live(undefined, undefined)).toMatchObject({ region, stream: { air: seen }, session: undefined });
  seen = { kind: 'reconnecting', ...jfkSession, lostAt: 9_000 };
  expect(at(10_000, retrying, false)).toEqual(['reconnecting', undefined]);
  // Nobody reports its end there: it counts as lost once our upload has failed for good.
  seen = undefined;
  expect(at(20_000, failed('key-refused', 20_000), false)).toEqual(['off-air', ['encoder-failed', 3_000, 20_000]]);
  expect(lines().filter(([, event]) => ['on-air', 'ended'].includes((event as { code: string }).code))).toMatchObject([
    [20_000, { code: 'ended', reason: 'encoder-failed', goneMs: 10_000 }],
    [3_000, { code: 'on-air', afterMs: 2_000 }],
  ]);
});

test('one that is stopped looks for no other region any more, even before its service knows', async () => {
  const { stream, follow, begin } = openStream();
  const closed = begin(() => undefined);
  await follow(1_000, running, true);
  await follow(2_000, retrying, true);
  stream.oneClick.begin();
  expect(closed).toEqual([]);
  await follow(3_000, { kind: 'idle' }, true);
  expect(closed).toEqual(['route']);
  stream.oneClick.end(4_000);
  await follow(4_000, { kind: 'idle' }, false);
  expect(closed).toContain('broadcast');
});

test('one that another encoder took over in such a region has not ended', async () => {
  const { at, follow, begin } = openStream();
  let seen: AirState | undefined = { kind: 'on-air', ...jfkSession };
  begin(() => seen);
  await follow(3_000, running, false);
  seen = undefined;
  expect(at(9_000, failed('taken-over', 9_000), false)).toEqual(['off-air', undefined]);
});

test('the service is believed about a stream that it calls active', async () => {
  const { at, follow, begin, stream } = openStream();
  begin(() => ({ kind: 'on-air', ...jfkSession }));
  await follow(3_000, running, false);
  expect(at(5_000, running, true)).toEqual(['on-air', undefined]);
  expect(stream.live(undefined, undefined)).toMatchObject({ region: undefined, stream: { air: { sessionId: 'show' } } });
});
