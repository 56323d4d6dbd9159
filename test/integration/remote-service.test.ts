import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EncodeChoice } from '../../src/shared/model/encode-settings.ts';
import type { Profile } from '../../src/shared/model/profile.ts';
import { testSource } from '../../src/shared/model/source.ts';
import { parseStreamRef } from '../../src/shared/model/stream-ref.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { followStreams } from '../../src/shared/stream-list.ts';
import { type Answer, startOddService } from '../support/odd-service.ts';
import { readPlaylist } from '../support/read-playlist.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The service whose screens are used, and the one elsewhere. */
let here: Awaited<ReturnType<typeof startTestService>>;
let there: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  [here, there] = await Promise.all([startTestService(), startTestService()]);
});
afterAll(() => Promise.all([here.close(), there.close()]));

/** As cheap as one click encodes, so that a busy computer is fast enough for it. */
const encode: EncodeChoice = {
  kind: 'by-hand',
  settings: {
    width: 1280,
    height: 720,
    fps: 10,
    videoBitrateBps: 300_000,
    keyframeSeconds: 1,
    audioBitrateBps: 64_000,
  },
};

const small: Profile = { name: '180p', bitrate: 300_000, fps: 0, width: 320, height: 180 };

/** The public interface of the service elsewhere, behind a server that the test can let fail. */
async function startFront() {
  let fault: Answer | undefined;
  const forward: Answer = ({ method, path, authorization = '', body }, response) => {
    const headers = { authorization, ...(body !== '' && { 'content-type': 'application/json' }) };
    const url = new URL(path, there.urls.apiBaseUrl);
    void fetch(url, { method, headers, ...(body !== '' && { body }) }).then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(await answer.text());
    });
    return undefined;
  };
  const front = await startOddService((asked, response) => (fault ?? forward)(asked, response));
  return {
    ...front,
    fail: (answer: Answer | undefined) => {
      fault = answer;
    },
  };
}

async function addService(baseUrl: string) {
  const { id } = await here.app.remoteService.add({ name: 'There', baseUrl, apiKey: there.secret });
  return id;
}

const watch = async (streamId: string, is: (live: StreamLive) => boolean) =>
  waitUntil(await here.app.stream.watch({ streamId, pageId: 'page' }), is);

const list = async (serviceId?: string) =>
  waitUntil(followStreams(await here.app.stream.watchAll(serviceId === undefined ? undefined : { serviceId })), () => true);

test('a stream of a remote service is created, broadcast to from here, transcoded there, and stopped, in the same screens', async () => {
  const serviceId = await addService(there.urls.apiBaseUrl);
  const created = await here.app.stream.create({ name: 'Elsewhere', profiles: [small], serviceId });
  const streamId = created.id;
  const { id } = parseStreamRef(streamId);
  expect(created).toMatchObject({ name: 'Elsewhere', serviceId, profiles: [small], air: { kind: 'off-air' } });
  expect(created).not.toHaveProperty('streamKey');
  expect(await list()).toEqual([]);
  expect(await list(serviceId)).toEqual([created]);
  expect(await there.app.stream.revealKey({ streamId: id })).toEqual(await here.app.stream.revealKey({ streamId }));
  await here.app.stream.update({ streamId, changes: { name: 'Over there' } });

  await here.app.broadcast.goLive({ streamId, source: testSource, encode });
  const live = await watch(
    streamId,
    ({ stream, session }) => stream.air.kind === 'on-air' && (session?.transcodedSegments ?? 0) > 1,
  );
  expect(live).toMatchObject({
    stream: { name: 'Over there', serviceId, oneClick: 'running' },
    service: { name: 'There', pair: { ingest: there.urls.ingestBaseUrl, playback: there.urls.playbackBaseUrl } },
    renditions: [],
  });
  // What is sent is metered here as the other service meters what arrives.
  const hear = async ({ app }: typeof here, of: string) =>
    waitUntil(
      await app.stream.watchAudio({ streamId: of }),
      ({ meter }) => meter?.kind === 'measured' && meter.shortTermLufs !== undefined,
    );
  const [sent, arrived] = await Promise.all([hear(here, streamId), hear(there, id)]);
  const loudnessOf = ({ meter }: typeof sent) => (meter?.kind === 'measured' ? meter.shortTermLufs : undefined);
  expect(loudnessOf(sent)).toBeCloseTo(loudnessOf(arrived) ?? 0, 0);
  // What only the other service can know has no stage here.
  const stages = live.stages.map(({ stage }) => stage);
  expect(stages).toEqual(['capture', 'encode', 'upload', 'ingest']);
  expect((await list()).map(({ id }) => id)).toEqual([streamId]);
  const folder = `${live.service?.pair?.playback}/${live.stream.playbackId}`;
  expect(await (await fetch(`${folder}/index.m3u8`)).text()).toContain('180p/index.m3u8');
  expect(readPlaylist(await (await fetch(`${folder}/180p/index.m3u8`)).text()).segments.length).toBeGreaterThan(0);
  await expect(here.app.remoteService.remove({ serviceId })).rejects.toMatchObject({ code: 'SERVICE_IN_USE' });

  await here.app.broadcast.stop({ streamId });
  const ended = await watch(streamId, ({ stream }) => stream.air.kind === 'off-air');
  expect(ended.oneClick).toEqual({ kind: 'idle' });
  expect(await waitUntil(await here.app.stream.watchAudio({ streamId }), () => true)).toEqual({});
  expect(ended.lastChoice).toMatchObject({ source: testSource });
  expect(await here.app.session.list({ streamId })).toMatchObject([{ id: live.session?.id, isActive: false }]);
  expect(await there.app.session.list({ streamId: id })).toMatchObject([
    { id: live.session?.id, endReason: 'encoder-stopped' },
  ]);
  expect(await list()).toEqual([]);

  await here.app.stream.delete({ streamId });
  expect(await list(serviceId)).toEqual([]);
  await expect(watch(streamId, () => false)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await here.app.remoteService.remove({ serviceId });
  await expect(here.app.stream.create({ name: 'x', serviceId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const logged = here.logLines.join('\n');
  expect([there.secret, 'Bearer'].filter((secret) => logged.includes(secret))).toEqual([]);
});

test.concurrent('while the API of a remote service fails, media keeps flowing, and only the failure is reported', async () => {
  await using front = await startFront();
  const serviceId = await addService(front.baseUrl);
  const { id: streamId } = await here.app.stream.create({ name: 'Silent', serviceId });
  const { id } = parseStreamRef(streamId);
  await here.app.broadcast.goLive({ streamId, source: testSource, encode });
  const before = await watch(streamId, ({ stream, session }) => stream.air.kind === 'on-air' && session !== undefined);
  front.fail(() => ({ status: 500, json: {} }));
  const silent = await watch(streamId, ({ verdict }) => verdict?.code === 'service-silent');
  expect(silent).toMatchObject({
    verdict: { code: 'service-silent', severity: 'warn', failure: { code: 'server-error', status: 500 }, isSending: true },
    stream: { air: { kind: 'on-air' }, isUnheard: false },
    oneClick: { kind: 'running' },
    service: { failure: { code: 'server-error', status: 500 } },
  });
  // Nobody knows what the ingest gets now.
  expect(silent.stages.map(({ stage }) => stage)).toEqual(['capture', 'encode', 'upload']);
  const arrived = before.session?.sourceSegments ?? 0;
  await waitUntil(
    await there.app.stream.watch({ streamId: id }),
    ({ session }) => (session?.sourceSegments ?? 0) > arrived + 2,
  );
  front.fail(undefined);
  await watch(streamId, ({ service }) => service?.failure === undefined);
  await here.app.broadcast.stop({ streamId });
});

test.concurrent('a broadcast that another program sends to a remote service is seen, counted and ended from here', async () => {
  const serviceId = await addService(there.urls.apiBaseUrl);
  const { id: streamId } = await here.app.stream.create({ name: 'Theirs', serviceId });
  const { id } = parseStreamRef(streamId);
  await there.app.broadcast.goLive({ streamId: id, source: testSource, encode });
  const live = await watch(
    streamId,
    ({ stream, session, verdict }) =>
      stream.air.kind === 'on-air' && (session?.sourceSegments ?? 0) > 0 && verdict?.code === 'good',
  );
  expect(live.oneClick).toEqual({ kind: 'idle' });
  const theirs = await waitUntil(await there.app.stream.watch({ streamId: id }), () => true);
  const since = (view: StreamLive) => (view.stream.air.kind === 'on-air' ? view.stream.air.since : 0);
  expect(Math.abs(since(live) - since(theirs))).toBeLessThan(3_000);
  expect((await list(serviceId)).find((stream) => stream.id === streamId)).toMatchObject({ air: live.stream.air });
  await here.app.broadcast.stop({ streamId });
  expect(await there.app.session.list({ streamId: id })).toMatchObject([{ endReason: 'terminated', endedBy: 'test' }]);
});

test.concurrent('nothing is asked while nobody watches and nothing is on air, and watchers share what is asked', async () => {
  await using front = await startFront();
  const serviceId = await addService(front.baseUrl);
  const { id: streamId } = await here.app.stream.create({ name: 'Unwatched', serviceId });
  const { id } = parseStreamRef(streamId);
  const asksOf = () => front.asked.filter(({ method, path }) => method === 'GET' && path === `/api/stream/${id}`).length;
  const leaving = new AbortController();
  const { signal } = leaving;
  const first = await here.app.stream.watch({ streamId }, { signal });
  const second = await here.app.stream.watch({ streamId }, { signal });
  await Promise.all([first.next(), second.next()]);
  expect(asksOf()).toBe(1);
  leaving.abort();
  await Promise.all([first.return?.(), second.return?.()]);
  const asked = front.asked.length;
  await new Promise((resolve) => setTimeout(resolve, 5_500));
  expect(front.asked.length).toBe(asked);
});
