import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ORPCError } from '@orpc/client';
import { isContractProcedure } from '@orpc/contract';
import { createRouterClient, implement } from '@orpc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContractRouter } from '../../src/service/handlers/router.ts';
import { contract } from '../../src/shared/contract.ts';
import { encodePresets } from '../../src/shared/model/encode-settings.ts';
import { recommendedProfiles } from '../../src/shared/model/profile.ts';
import { testSource } from '../../src/shared/model/source.ts';
import { followStreams } from '../../src/shared/stream-list.ts';
import { connectByPort, connectBySocket } from '../support/contract-connections.ts';
import { loopedFile } from '../support/looped-file.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** The path of every call in the contract, like `stream.create`. */
function listCalls(router: object, path = ''): string[] {
  return Object.entries(router).flatMap(([name, value]) =>
    isContractProcedure(value) ? [`${path}${name}`] : listCalls(value, `${path}${name}.`),
  );
}

/** The error as received on this side. */
async function failureOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ORPCError)) throw new Error('The call did not fail with a contract error', { cause: error });
  const { code, status, message, data, defined } = error;
  return { code, status, message, data, defined };
}

/** The router, whose `stream.watchAll` reports when an iterator has been opened and when it has ended on the service's side. */
function observeWatchAll() {
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  async function* tell<Value>(values: AsyncIterable<Value>) {
    opened.resolve();
    try {
      yield* values;
    } finally {
      ended.resolve();
    }
  }
  const { router } = service.service;
  const watchAll = implement(contract).stream.watchAll.handler(async ({ signal }) =>
    tell(await createRouterClient(router).stream.watchAll(undefined, { signal })),
  );
  const observed = { ...router, stream: { ...router.stream, watchAll } } as ContractRouter;
  return { router: observed, opened: opened.promise, ended: ended.promise };
}

describe.each([
  { transport: 'a MessagePort', connect: connectByPort },
  { transport: 'a WebSocket', connect: connectBySocket },
])('the contract over $transport', ({ transport, connect }) => {
  test('answers every call', async () => {
    await using connection = await connect(service.service.router);
    const { client, called } = connection;
    const folder = await mkdtemp(join(tmpdir(), 'contract-'));
    await writeFile(join(folder, 'film.mp4'), '12345');

    const info = await waitUntil(await client.service.watch(), ({ ffmpeg }) => ffmpeg.kind === 'found');
    expect(info).toEqual({ ...service.service.info(), notices: [] });
    expect(await waitUntil(await client.service.beat(), () => true)).toEqual({ now: expect.any(Number) });

    const created = await client.stream.create({ name: 'Sunday show', profiles: [...recommendedProfiles] });
    expect(created).toMatchObject({ name: 'Sunday show', profiles: recommendedProfiles, air: { kind: 'off-air' } });
    expect(created).not.toHaveProperty('streamKey');
    const streamId = created.id;
    const renamed = await client.stream.update({ streamId, changes: { name: 'Monday show', profiles: [] } });
    expect(renamed).toMatchObject({ id: streamId, name: 'Monday show' });
    const all = await waitUntil(followStreams(await client.stream.watchAll()), () => true);
    expect(all.find(({ id }) => id === streamId)).toEqual(renamed);
    const key = await client.stream.revealKey({ streamId });
    expect(key).toEqual({ streamKey: expect.stringMatching(/^([a-z0-9]{4}-){3}[a-z0-9]{4}$/) });
    await client.stream.renewKey({ streamId });
    expect(await client.stream.revealKey({ streamId })).not.toEqual(key);

    expect(await waitUntil(await client.stream.watchAudio({ streamId }), () => true)).toEqual({});
    const lives = await client.stream.watch({ streamId });
    const encode = { kind: 'preset', name: '1080p60' } as const;
    const preview = await client.broadcast.previewEncode({ streamId, source: testSource, encode });
    expect(preview).toMatchObject({ settings: encodePresets['1080p60'], uploadBps: 6_160_000 });
    await client.broadcast.goLive({ streamId, source: testSource });
    const live = await waitUntil(lives, ({ stream }) => stream.air.kind === 'on-air');
    expect(live).toMatchObject({ oneClick: { kind: 'running', source: testSource, encode: { kind: 'automatic' } } });
    await client.broadcast.changeSource({ streamId, source: { ...testSource, sound: { inputs: [], limits: false } } });
    await client.broadcast.reconnectNow({ streamId });
    await client.service.networkReturned();
    const seen = { state: 'playing', stalls: 0, stalledSeconds: 0, droppedFrames: 0, decodedFrames: 1 } as const;
    await client.playback.report({ streamId, pageId: 'page', report: seen });
    await client.broadcast.setRenditions({ streamId, names: live.renditions.map(({ asked }) => asked.name) });
    await client.broadcast.acceptSilence({ streamId });
    await client.broadcast.stop({ streamId });
    expect(await failureOf(client.broadcast.acceptSilence({ streamId }))).toMatchObject({ code: 'OFF_AIR' });
    expect(await failureOf(client.broadcast.changeRegion({ streamId, region: 'jfk' }))).toMatchObject({
      code: 'REGION_NOT_OFFERED',
      message: 'JFK is no longer offered, so nothing was changed.',
    });
    await client.broadcast.letIn({ streamId });
    await client.broadcast.dismissLost({ streamId, sessionId: live.session?.id ?? '' });
    const sessions = await client.session.list({ streamId });
    expect(sessions).toEqual([expect.objectContaining({ id: live.session?.id, isActive: false, endReason: 'stopped' })]);
    const after = await client.stream.watch({ streamId });
    await client.stream.delete({ streamId });
    expect(await failureOf(waitUntil(after, () => false))).toMatchObject({ code: 'NOT_FOUND' });

    // A service of this kind is a remote service for another one, and for itself.
    const baseUrl = service.urls.apiBaseUrl;
    const remote = await client.remoteService.add({ name: 'Itself', baseUrl, apiKey: service.secret });
    const serviceId = remote.id;
    expect(remote).toEqual({ id: expect.any(String), name: 'Itself', baseUrl, mediaOrigins: [new URL(baseUrl).origin] });
    const crew = await client.remoteService.update({ serviceId, changes: { name: 'Crew' } });
    expect(await waitUntil(await client.remoteService.watchAll(), () => true)).toEqual([crew]);
    await client.remoteService.remove({ serviceId });
    expect(await failureOf(client.remoteService.add({ name: 'Itself', baseUrl, apiKey: 'wrong' }))).toEqual({
      code: 'REMOTE_FAILED',
      status: 502,
      message: 'The service refused the API key. Check that it is complete and not revoked.',
      data: { remoteFailure: { code: 'key-refused', status: 401 } },
      defined: true,
    });

    const { apiKey, secret } = await client.apiKey.create({ name: 'studio computer' });
    const keys = await client.apiKey.watchAll();
    const { value: listed } = await keys.next();
    expect(listed).toContainEqual(apiKey);
    expect(JSON.stringify(listed)).not.toContain(secret);
    await client.apiKey.revoke({ id: apiKey.id });
    await waitUntil(keys, (left) => left.every(({ id }) => id !== apiKey.id));

    const readSettings = async () => waitUntil(await client.settings.watch(), () => true);
    const settings = await readSettings();
    expect(await client.settings.update({ regionCode: 'ber' })).toEqual({ ...settings, regionCode: 'ber' });
    await client.region.measure();
    const { nearest } = await waitUntil(await client.region.watch(), (view) => view.nearest !== undefined);
    expect(nearest).toBe('ber');
    expect(await readSettings()).toEqual({ ...settings, regionCode: 'ber' });

    const devices = await waitUntil(await client.source.watchDevices(), () => true);
    expect(devices).toMatchObject({ cameras: expect.any(Array), by: { camera: expect.any(String) } });
    const shown = await waitUntil(
      await client.source.watchPreview({ source: testSource }),
      ({ jpeg, meter }) => jpeg !== undefined && meter?.kind === 'measured',
    );
    expect(shown).toMatchObject({
      meter: { truePeaksDbtp: [expect.any(Number), expect.any(Number)] },
      inputs: [{ of: { kind: 'test-tone' }, levels: [{}, {}] }],
      away: [],
    });

    const place = `a page over ${transport}`;
    const { captureId } = await client.pageCapture.order({ place, order: { of: 'camera' } });
    const ordered = { captureId, place, order: { of: 'camera' }, attempt: 1, state: { kind: 'waiting' } };
    expect(await waitUntil(await client.pageCapture.watch({ place, holds: [captureId] }), () => true)).toMatchObject({
      captures: [ordered],
      elsewhere: [],
    });
    expect(
      await waitUntil(await client.pageCapture.watch({ place: 'elsewhere', holds: [captureId] }), () => true),
    ).toMatchObject({
      captures: [],
      elsewhere: [ordered],
    });
    const served = await client.pageCapture.serve({ place, pageId: 'page' });
    expect(await waitUntil(served, () => true)).toEqual({ kind: 'works', captures: [ordered] });
    await client.pageCapture.report({ place, pageId: 'page', report: { devices: [], captures: [] } });
    const { ticket } = await client.pageCapture.open({ captureId, hasVideo: true, hasAudio: false });
    expect(ticket).toEqual(expect.any(String));
    await client.pageCapture.again({ captureId });

    expect(await client.file.browse({ folder })).toEqual({
      folder,
      parent: tmpdir(),
      entries: [{ name: 'film.mp4', path: join(folder, 'film.mp4'), kind: 'file', sizeBytes: 5 }],
    });
    await rm(folder, { recursive: true });
    expect([...called].sort()).toEqual(listCalls(contract).sort());
  });

  test('errors cross as data: code, status, sentence and details', async () => {
    await using connection = await connect(service.service.router);
    const { stream, broadcast } = connection.client;
    expect(await failureOf(stream.revealKey({ streamId: 'nothing' }))).toEqual({
      code: 'NOT_FOUND',
      status: 404,
      message: expect.stringMatching(/\w.*\.$/),
      data: undefined,
      defined: true,
    });
    const [profile] = recommendedProfiles;
    expect(await failureOf(stream.create({ name: 'Two of one name', profiles: [profile!, profile!] }))).toEqual({
      code: 'CONFLICTING_INPUT',
      status: 400,
      message: 'profiles[1].name: "720p" is already used by another profile',
      data: { violations: [{ code: 'name-taken', path: ['profiles', 1, 'name'], name: '720p' }] },
      defined: true,
    });
    const [narrow, ...rest] = recommendedProfiles;
    expect(
      await failureOf(stream.create({ name: 'x'.repeat(501), profiles: [{ ...narrow!, width: 127 }, ...rest] })),
    ).toMatchObject({
      code: 'INVALID_INPUT',
      status: 422,
      message: 'name: must be at most 500 characters long\nprofiles[0].width: must be at least 128',
      data: {
        violations: [
          { code: 'too-big', path: ['name'], of: 'length', most: 500 },
          { code: 'too-small', path: ['profiles', 0, 'width'], of: 'value', least: 128 },
        ],
      },
    });
    const { id: streamId } = await stream.create({ name: 'No such file' });
    const source = loopedFile('/nothing/like/this.mp4');
    expect(await failureOf(broadcast.goLive({ streamId, source }))).toMatchObject({ code: 'SOURCE_FAILED', status: 422 });
    expect(await failureOf(waitUntil(await stream.watch({ streamId: 'nothing' }), () => true))).toMatchObject({
      code: 'NOT_FOUND',
      defined: true,
    });
  });

  test('a watcher gets the current value first, then each change', async () => {
    await using connection = await connect(service.service.router);
    const { stream } = connection.client;
    const { id: streamId } = await stream.create({ name: 'first' });
    const heard: string[] = [];
    for await (const { stream: view } of await stream.watch({ streamId })) {
      heard.push(view.name);
      if (view.name === 'first') await stream.update({ streamId, changes: { name: 'second' } });
      if (view.name === 'second') break;
    }
    expect(heard).toEqual(['first', 'second']);
  });

  test("aborting an iterator's signal stops it on the service side", async () => {
    const { router, opened, ended } = observeWatchAll();
    await using connection = await connect(router);
    const cancelling = new AbortController();
    const values = await connection.client.stream.watchAll(undefined, { signal: cancelling.signal });
    await values.next();
    await opened;
    const waiting = values.next();
    cancelling.abort();
    await expect(waiting).rejects.toThrow();
    await ended;
  });

  test('leaving an iterator stops it on the service side', async () => {
    const { router, ended } = observeWatchAll();
    await using connection = await connect(router);
    for await (const _streams of await connection.client.stream.watchAll()) break;
    await ended;
  });

  test('a page that goes away stops its iterators on the service side', async () => {
    const { router, ended } = observeWatchAll();
    await using connection = await connect(router);
    await (await connection.client.stream.watchAll()).next();
    connection.close();
    await ended;
  });

  test("closing the connection on the service side stops that page's iterators", async () => {
    const { router, ended } = observeWatchAll();
    const connection = await connect(router);
    await (await connection.client.stream.watchAll()).next();
    await connection[Symbol.asyncDispose]();
    await ended;
  });
});
