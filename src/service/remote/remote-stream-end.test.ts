import { expect, test } from 'vitest';
import { failed, openStream, retrying, running, starting, stopping } from '../../../test/support/remote-stream-stage.ts';
import type { OneClickState } from '../../shared/model/live.ts';
import type { RemoteFailure } from '../../shared/model/remote-failure.ts';

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
