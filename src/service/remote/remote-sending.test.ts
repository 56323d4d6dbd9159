import { expect, test } from 'vitest';
import { listAsked } from '../../../test/support/remote-stand.ts';
import { failed, openSending, retrying, running, starting } from '../../../test/support/sending-stand.ts';
import { soon } from '../../../test/support/soon.ts';
import type { StreamLive } from '../../shared/model/views.ts';

test('Stop ends a broadcast whose connection to the ingest is lost, which its service would wait for', async () => {
  const { streams, set, service, goOnAir } = await openSending();
  await goOnAir();
  set(retrying);
  expect(streams.findOnAir('show')).toMatchObject({ air: { kind: 'reconnecting' } });
  await streams.stop('show');
  expect(listAsked(service)).toContain('DELETE /api/stream/show/terminate');
});

test('a page never shows a broadcast on air that was stopped while its ingest was tried again', async () => {
  const { streams, set, goOnAir, setActive } = await openSending();
  await goOnAir();
  set(retrying);
  const stopped = streams.stop('show');
  setActive(false);
  const seen: [string, string][] = [];
  for await (const { oneClick, stream } of streams.watch('show', undefined, new AbortController().signal)) {
    seen.push([oneClick.kind, stream.air.kind]);
    if (oneClick.kind === 'idle') break;
  }
  await stopped;
  expect([seen.at(0), seen.at(-1)]).toEqual([
    ['stopping', 'reconnecting'],
    ['idle', 'off-air'],
  ]);
  expect(seen.filter(([, air]) => air === 'on-air')).toEqual([]);
});

test("Stop leaves another program's broadcast alone, which took over while the ingest was tried again", async () => {
  const { streams, set, service, goOnAir, countSegment } = await openSending();
  await goOnAir();
  set(retrying);
  await countSegment(10_000);
  await countSegment(2_000);
  expect(streams.findOnAir('show')).toMatchObject({ air: { kind: 'reconnecting' } });
  await countSegment(2_000);
  expect(streams.findOnAir('show')).toMatchObject({ air: { kind: 'on-air' } });
  await streams.stop('show');
  expect(listAsked(service).filter((asked) => asked.startsWith('DELETE'))).toEqual([]);
});

test("Stop leaves another program's broadcast alone if the ingest never took ours", async () => {
  const { streams, set, service, countSegment } = await openSending();
  set(starting);
  await streams.prepareGoLive('show', new AbortController().signal);
  set(retrying);
  for (let segment = 0; segment < 3; segment += 1) await countSegment(2_000);
  expect(streams.findOnAir('show')).toMatchObject({ air: { kind: 'on-air' } });
  await streams.stop('show');
  expect(listAsked(service).filter((asked) => asked.startsWith('DELETE'))).toEqual([]);
});

test("Stop of a start that the ingest never took leaves another program's broadcast alone, whose segments nobody counts", async () => {
  const { streams, set, service } = await openSending();
  set(starting);
  await streams.prepareGoLive('show', new AbortController().signal);
  set(retrying);
  expect(streams.findOnAir('show')).toMatchObject({ air: { kind: 'reconnecting' } });
  await streams.stop('show');
  expect(listAsked(service).filter((asked) => asked.startsWith('DELETE'))).toEqual([]);
});

test('Stop of a start that the ingest never took ends our broadcast before it, which its service still waits for', async () => {
  const { streams, set, service, goOnAir } = await openSending();
  await goOnAir();
  set(failed());
  set(starting);
  await streams.prepareGoLive('show', new AbortController().signal);
  set(retrying);
  await streams.stop('show');
  expect(listAsked(service)).toContain('DELETE /api/stream/show/terminate');
});

test('Stop ends a broadcast whose ingest hears no goodbye, since its service would wait for it', async () => {
  const { streams, service, goOnAir, becomeDeaf } = await openSending();
  await goOnAir();
  becomeDeaf();
  await streams.stop('show');
  expect(listAsked(service)).toContain('DELETE /api/stream/show/terminate');
});

test('Stop is done though the service that waits for the broadcast does not answer', async () => {
  const { streams, set, goOnAir, answerWith } = await openSending();
  await goOnAir();
  set(retrying);
  answerWith(502);
  await expect(streams.stop('show')).resolves.toBeUndefined();
});

test('going live again waits while the service is still asked to end the stream, which would end the new broadcast', async () => {
  const { streams, goOnAir, becomeDeaf, answerWith } = await openSending({ timeoutMs: 5_000 });
  await goOnAir();
  becomeDeaf();
  answerWith('never', /terminate/);
  const since = performance.now();
  await streams.stop('show');
  await streams.prepareGoLive('show', new AbortController().signal);
  // The request's limit. Stop itself waits for 3 s.
  expect(performance.now() - since).toBeGreaterThan(4_900);
});

test('Stop of a connected broadcast says goodbye to the ingest, and terminates nothing', async () => {
  const { streams, service, goOnAir } = await openSending();
  await goOnAir();
  await streams.stop('show');
  expect(listAsked(service).filter((asked) => !asked.startsWith('GET'))).toEqual([]);
});

test('a broadcast is known from its start on, from the answer that brought its key, even while a poll of it hangs', async () => {
  const { streams, set, setActive, answerWith } = await openSending();
  setActive(false);
  answerWith('never', /sessions/);
  set(starting);
  await streams.prepareGoLive('show', new AbortController().signal);
  expect(streams.findOnAir('show')).toMatchObject({ air: { kind: 'connecting' } });
});

test('Stop again asks a service that has not ended the broadcast to end it, which is off air then', async () => {
  const { streams, service, goOnAir, setActive } = await openSending();
  const page = streams.watch('show', undefined, new AbortController().signal);
  await page.next();
  await goOnAir();
  await streams.stop('show');
  await streams.stop('show');
  expect(listAsked(service).filter((asked) => asked.startsWith('DELETE'))).toEqual(['DELETE /api/stream/show/terminate']);
  setActive(false);
  for await (const { oneClick, stream } of page) if (oneClick.kind === 'idle' && stream.air.kind === 'off-air') break;
});

test.each([
  ['answers', undefined],
  ['is down at that moment', 502],
])('a failed broadcast that no page watches is off air once its service, which %s, says so', async (_what, status) => {
  const { streams, set, service, goOnAir, setActive, answerWith } = await openSending();
  await goOnAir();
  answerWith(status);
  service.asked.length = 0;
  await soon(() => expect(listAsked(service)).toContain('GET /api/stream/show'));
  set(failed());
  setActive(false);
  answerWith(undefined);
  await soon(() => expect(streams.findOnAir('show')).toMatchObject({ air: { kind: 'off-air' }, isUnheard: false }));
});

/** For a while, a proxy answers 404 for its service. Returns the first value afterwards. */
async function passOutage(
  page: AsyncGenerator<StreamLive, void>,
  answerWith: (status: number | undefined) => void,
): Promise<StreamLive | undefined> {
  answerWith(404);
  let live = (await page.next()).value ?? undefined;
  while (live?.service?.failure === undefined) live = (await page.next()).value ?? undefined;
  expect(live.service.failure).toEqual({ code: 'not-offered', status: 404 });
  answerWith(undefined);
  while (live?.service?.failure !== undefined) live = (await page.next()).value ?? undefined;
  return live;
}

test('a proxy that answers 404 for its service ends no Studio that sends there', async () => {
  const { streams, set, answerWith } = await openSending();
  const page = streams.watch('show', undefined, new AbortController().signal);
  await page.next();
  set(running);
  const live = await passOutage(page, answerWith);
  expect(live?.stream.air.kind).toBe('on-air');
  await page.return();
});

async function untilGone(page: AsyncGenerator<unknown>): Promise<void> {
  for await (const _ of page);
}

test('a proxy that answers 404 for its service ends no Studio that only watches', async () => {
  const { streams, answerWith } = await openSending();
  const page = streams.watch('show', undefined, new AbortController().signal);
  await page.next();
  await passOutage(page, answerWith);
  // Once the stream alone is gone, there is nothing to watch.
  answerWith(404, /^\/api\/stream\/show$/);
  await expect(untilGone(page)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a service that answers 404 to everything is not said to be well', async () => {
  const { streams, services, answerWith } = await openSending();
  answerWith(404);
  await expect(streams.watchAll(new AbortController().signal).next()).rejects.toThrow();
  expect(services.list()[0]?.failure).toEqual({ code: 'not-offered', status: 404 });
});
