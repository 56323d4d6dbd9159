import { pino } from 'pino';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { CountedArchive } from '../../../test/support/counted-archive.ts';
import { createPublisher } from '../../../test/support/create-publisher.ts';
import { breakKeyLookup } from '../../../test/support/disk-fault.ts';
import { readEightSeconds } from '../../../test/support/flv-fixture.ts';
import { pushTag } from '../../../test/support/push-tag.ts';
import { soon } from '../../../test/support/soon.ts';
import { createTestLog, openStoreStand, type StoreStand } from '../../../test/support/store-stand.ts';
import { createTestRegistry } from '../../../test/support/test-registry.ts';
import type { EndReason } from '../../shared/model/live.ts';
import { playbackRoutes } from '../hls/hls-routes.ts';
import { createHttpServer } from '../http/http-server.ts';
import { onFault } from '../lib/faults.ts';
import type { SessionRegistry } from './session-registry.ts';

const log = pino({ level: 'silent' });
const tags = readEightSeconds();
let stand: StoreStand;
let registry: SessionRegistry;
let archive: CountedArchive;
beforeEach(async () => {
  archive = new CountedArchive();
  stand = await openStoreStand();
  registry = createTestRegistry(stand, {
    log,
    archive,
  });
});
afterEach(async () => {
  await registry.close();
  stand.close();
});

/** A stream with a publisher, and its playback over HTTP. */
async function startShow() {
  const { id, playbackId, streamKey = '' } = await stand.streams.create({ name: 'Sunday show' });
  const app = createHttpServer({ log });
  await app.register(playbackRoutes(registry), { prefix: '/hls' });
  const publish = (media = tags) => {
    const publisher = createPublisher({ connectedAt: stand.clock.time });
    const answer = registry.admit(streamKey, publisher);
    if (answer.kind === 'refused') return answer.reason.code;
    for (const tag of media) pushTag(answer.sink, tag);
    return 'admitted';
  };
  expect(publish()).toBe('admitted');
  const ask = async (path: string) => {
    const { statusCode, body } = await app.inject(`/hls/${playbackId}/${path}`);
    return { status: statusCode, body };
  };
  const store = registry.findLive(id)?.playback();
  if (store?.kind !== 'playable') throw new Error('The stream does not play.');
  const source = store.renditions[0]?.store;
  const next = source?.open ?? { msn: source?.nextMediaSequence ?? 0, parts: [] };
  /** A playlist and a part that do not exist yet. */
  const waitForNext = async () => {
    const waiting = Promise.all([
      ask(`source/index.m3u8?_HLS_msn=${next.msn}&_HLS_part=${next.parts.length}`),
      ask(`source/${next.msn}-${next.parts.length}.m4s`),
    ]);
    // Answered after those have begun to wait.
    await ask('index.m3u8');
    return { waiting };
  };
  return { id, ask, publish, waitForNext };
}

const gone = { status: 503, body: '{"errors":["The stream is gone."]}' };
const offAir = '{"errors":["The stream is off air; playback begins when it goes live."]}';

test.each<EndReason>(['stopped', 'terminated', 'ingest-lost'])(
  'players that wait while a session ends (%s) get the ended playlist, and may play it to its end',
  async (reason) => {
    const { id, ask, waitForNext } = await startShow();
    const { waiting } = await waitForNext();
    registry.endSession(id, { reason });
    const [playlist] = await waiting;
    expect(playlist).toMatchObject({ status: 200, body: expect.stringMatching(/#EXT-X-ENDLIST\n$/) });
    expect(await ask('source/index.m3u8')).toEqual(playlist);
    expect((await ask('source/0.m4s')).status).toBe(200);
    expect(await ask('index.m3u8')).toEqual({ status: 404, body: offAir });
  },
);

test('players that wait while their stream is deleted get 503, and then find nothing', async () => {
  const { id, ask, waitForNext } = await startShow();
  const { waiting } = await waitForNext();
  await stand.streams.delete(id);
  registry.endSession(id, { reason: 'deleted' });
  expect(await waiting).toEqual([gone, gone]);
  for (const path of ['index.m3u8', 'source/index.m3u8', 'source/0.m4s']) {
    expect(await ask(path)).toEqual({ status: 404, body: '{"errors":["No stream has this playback id."]}' });
  }
});

test('players that wait while their stream is suspended get 503; nothing of it plays until it is live again', async () => {
  const { id, ask, publish, waitForNext } = await startShow();
  const { waiting } = await waitForNext();
  await stand.streams.update(id, { suspended: true });
  registry.endSession(id, { reason: 'suspended' });
  expect(await waiting).toEqual([gone, gone]);
  expect(publish()).toBe('suspended');
  const expectOffAir = async () => {
    for (const path of ['index.m3u8', 'source/index.m3u8', 'source/0.m4s']) {
      expect(await ask(path)).toEqual({ status: 404, body: offAir });
    }
  };
  await expectOffAir();
  await stand.streams.update(id, { suspended: false });
  await expectOffAir();
  expect(publish([])).toBe('admitted');
  await expectOffAir();
  expect(publish()).toBe('admitted');
  expect((await ask('index.m3u8')).status).toBe(200);
  expect((await ask('source/index.m3u8')).body).not.toContain('#EXT-X-ENDLIST');
});

test('while the store cannot be read, broadcasts continue, their encoders may reconnect, and any other is told to try again', async () => {
  const show = await startShow();
  const broken = breakKeyLookup(stand.streams);
  const publisher = createPublisher({ connectedAt: stand.clock.time });
  expect(registry.admit('any', publisher)).toEqual({
    kind: 'refused',
    reason: { code: 'store-unreadable', fault: { code: 'disk-failed' } },
  });
  expect((await show.ask('source/index.m3u8')).status).toBe(200);
  expect(show.publish()).toBe('admitted');
  registry.sendPublisherAway(show.id, { code: 'key-renewed' });
  expect(show.publish()).toBe('store-unreadable');

  broken.mockRestore();
  const next = await startShow();
  breakKeyLookup(stand.streams);
  expect(next.publish()).toBe('admitted');
  registry.endSession(next.id, { reason: 'suspended' });
  expect(next.publish()).toBe('store-unreadable');
});

test('while the store cannot be read, publishers with any key leave a line in the log in 10 s', async () => {
  const { log: testLog, lines } = createTestLog();
  const strict = createTestRegistry(stand, { log: testLog });
  breakKeyLookup(stand.streams);
  const knock = (times: number) => {
    for (let count = 0; count < times; count += 1) {
      expect(strict.admit(`key ${count}`, createPublisher({ connectedAt: stand.clock.time })).kind).toBe('refused');
    }
  };
  knock(200);
  stand.clock.time += 10_000;
  knock(200);
  const line = {
    level: 50,
    err: { message: 'disk I/O error' },
    msg: 'A publisher was refused because the store cannot be read.',
  };
  expect(lines).toMatchObject([line, { ...line, more: 199 }]);
  await strict.close();
});

test('a stream that is deleted, on air or after its end, leaves nothing on disk', async () => {
  for (const endsBefore of [false, true]) {
    const { id } = await startShow();
    expect(archive.folders).toBe(1);
    if (endsBefore) registry.endSession(id, { reason: 'stopped' });
    registry.endSession(id, { reason: 'deleted' });
    await soon(() => expect(archive.folders).toBe(0));
  }
});

test('profiles are refused from when an encoder is admitted, whose renditions they would not change, until its broadcast ends', async () => {
  const { id, streamKey = '' } = await stand.streams.create({ name: 'Sunday show' });
  expect(registry.isLive(id)).toBe(false);
  const publisher = createPublisher({ connectedAt: stand.clock.time });
  registry.admit(streamKey, publisher);
  expect(registry.findLive(id)?.air.kind).toBe('connecting');
  expect(registry.isLive(id)).toBe(true);
  registry.endSession(id, { reason: 'stopped' });
  expect(registry.isLive(id)).toBe(false);
});

test.each([
  ['service-closed', undefined],
  ['service-crashed', { hasCrashed: true }],
] as const)('when the service closes, broadcasts end as %s', async (reason, how) => {
  const { id } = await startShow();
  await registry.close(how);
  expect(registry.findLive(id)?.air).toMatchObject({ kind: 'off-air', reason });
});

test('once its broadcasts have ended, a closing service admits nobody: an encoder that tries again at once would begin another one', async () => {
  const { id, publish } = await startShow();
  registry.endAll({ hasCrashed: true });
  expect([publish(), registry.findLive(id)?.air]).toEqual([
    'ingest-closing',
    { kind: 'off-air', endedAt: expect.any(Number), reason: 'service-crashed' },
  ]);
});

test('when the service closes, a stream that cannot be closed does not keep others on air, and its fault is reported', async () => {
  const shows = [await startShow(), await startShow()];
  const [first, second] = shows.map(({ id }) => registry.findLive(id));
  using _end = vi.spyOn(first!, 'end').mockImplementation(() => {
    throw new Error('It cannot be ended.');
  });
  using _close = vi.spyOn(first!, 'close').mockImplementation(() => Promise.reject(new Error('It cannot be closed.')));
  const faults: string[] = [];
  onTestFinished(onFault(({ during }) => void faults.push(during)));
  await expect(registry.close()).rejects.toThrow('It cannot be closed.');
  expect([second?.air.kind, faults, archive.folders]).toEqual(['off-air', ['ending a session'], 1]);
});

test('the number of the first segment is stored as soon as it plays: two runs that crash right after it do not begin with the same', async () => {
  const { id } = await startShow();
  const stored = stand.db.prepare('SELECT next_media_sequence AS next FROM stream WHERE id = ?').get(id);
  expect(stored?.next).toBeGreaterThan(0);
});
