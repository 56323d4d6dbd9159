import { expect, test } from 'vitest';
import { failed, openStream, retrying, running, starting, stored } from '../../../test/support/remote-stream-stage.ts';
import type { AirState } from '../../shared/model/live.ts';
import type { Sleep } from '../../shared/model/sleep.ts';
import { AnsweredSession } from './remote-answers.ts';
import { RemoteError } from './remote-error.ts';

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

test('a sleep of this computer is no trouble of a broadcast that another program sends', () => {
  const { at, stream, wake } = openStream();
  at(5_000, { kind: 'idle' }, true, 1);
  wake({ kind: 'slept', from: 10_000, to: 30_000 });
  at(31_000, { kind: 'idle' }, true, 2);
  expect(stream.live(undefined, undefined)?.verdict).toEqual({ code: 'good', severity: 'good' });
});

test('a service that was silent before a broadcast from here is logged as silent since that began', async () => {
  const { at, follow, poll, lines } = openStream();
  at(0, { kind: 'idle' }, true);
  await poll(2_000, 'fails');
  await follow(600_000, running, { code: 'closed' });
  await poll(602_000, 'fails');
  expect(lines()).toMatchObject([[600_000, { code: 'trouble-began', verdict: { code: 'service-silent' } }]]);
});

test('what is shown of a service that does not answer is as old as its last answer, to whatever was asked', async () => {
  const { at, poll, stream } = openStream();
  const heard = () => stream.live(undefined, undefined)?.service?.heardAt;
  await poll(2_000, 'moves');
  await poll(4_000, 'fails');
  expect(heard()).toBe(2_000);
  at(6_000, { kind: 'idle' }, true);
  await poll(8_000, 'fails');
  expect(heard()).toBe(6_000);
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
  expect(lines()[0]).toMatchObject([20_000, { code: 'trouble-passed', verdict: stalled, afterMs: 20_000 }]);
});

test('a trouble that is over before the service calls the broadcast on air has ended', () => {
  const { at, stream, lines } = openStream();
  const slow = { ...running, queueMs: 20_000 };
  const follow = (atMs: number, state: typeof running) => {
    at(atMs, state, false);
    stream.followOneClick();
  };
  for (const atMs of [0, 1_000, 2_000, 3_000]) follow(atMs, slow);
  for (let atMs = 4_000; atMs <= 10_000; atMs += 1_000) follow(atMs, running);
  const verdict = { code: 'upload-slow', severity: 'bad' };
  expect(lines()).toMatchObject([
    [4_000, { code: 'trouble-ended', verdict, afterMs: 4_000 }],
    [0, { code: 'trouble-began', verdict }],
  ]);
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

test("a change of a stream on air keeps the session that is shown; the stream's next broadcast has another one", async () => {
  const { list, at, stream } = openStream();
  await list(async () => [session]);
  const shown = () => stream.live(undefined, undefined)?.session?.id;
  at(1_000, { kind: 'idle' }, true);
  expect(shown()).toBe('session');
  at(2_000, { kind: 'idle' }, false);
  at(3_000, { kind: 'idle' }, true);
  expect(shown()).toBeUndefined();
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

test("a region's playback is watched until its service calls our broadcast active; another program's before it says nothing", async () => {
  const { at, follow, begin, isOfService } = openStream();
  begin(() => undefined);
  await follow(1_000, starting, true);
  at(2_000, starting, false);
  await follow(3_000, running, false);
  expect(isOfService()).toBe(false);
  at(5_000, running, true);
  expect(isOfService()).toBe(true);
});
