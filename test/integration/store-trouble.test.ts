import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { describeNotice } from '../../src/shared/words/notice-words.ts';
import { readEightSeconds } from '../support/flv-fixture.ts';
import { followPlaylist } from '../support/follow-playlist.ts';
import { fillDisk } from '../support/full-disk.ts';
import { publishTags } from '../support/publish-tags.ts';
import { lockStore } from '../support/rival-program.ts';
import { shiftTags } from '../support/synthetic-source.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A service, one of its streams, and what the store has of its sessions. */
async function startStage() {
  const service = await startTestService({ awaitEncoders: false });
  const stream = (await service.api('POST', '/stream', { name: 'Sunday show' })).body;
  const url = (path: string) => `${service.urls.localPlaybackBaseUrl}/${stream.playbackId}/${path}`;
  const storedSessions = () => {
    const db = new DatabaseSync(join(service.folder, 'tallylight.db'), { readOnly: true });
    try {
      return db.prepare('SELECT id, is_active, source_segments, end_reason FROM stream WHERE parent_id IS NOT NULL').all();
    } finally {
      db.close();
    }
  };
  const health = async () => {
    const response = await fetch(new URL('/healthz', service.urls.apiBaseUrl));
    return { status: response.status, body: await response.json() };
  };
  return { ...service, stream, url, storedSessions, health };
}

type Stage = Awaited<ReturnType<typeof startStage>>;

/** Makes SQLite refuse every write of the service's own connection, as in a folder without write permission (which root bypasses). */
async function makeReadOnly({ api, stream }: Stage): Promise<Disposable> {
  using exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  await api('PATCH', `/stream/${stream.id}`, { name: 'Sunday show' });
  const [db] = exec.mock.contexts;
  if (!(db instanceof DatabaseSync)) throw new Error('The service wrote nothing.');
  db.exec('PRAGMA query_only = ON');
  return { [Symbol.dispose]: () => db.exec('PRAGMA query_only = OFF') };
}

const troubles: [string, (stage: Stage) => Disposable | Promise<Disposable>, string][] = [
  ['locked by another program', ({ folder }) => lockStore(folder), 'The store is locked by another program'],
  ['on a full disk', () => fillDisk(), 'The store cannot be used: its disk failed to read or write.'],
  ['read-only', makeReadOnly, 'The store is read-only'],
];

test.each(troubles)(
  'a broadcast starts, is counted and ends while the store is %s, and is stored afterwards',
  async (...trouble) => {
    const [, makeTrouble, sentence] = trouble;
    await using stage = await startStage();
    const { app, api, stream } = stage;
    const streamId: string = stream.id;
    const refused = await makeTrouble(stage);
    let isSeen = false;
    /** At least eight seconds, in a loop until everything has been seen that is there only on air. */
    function* choose() {
      for (let round = 0; round === 0 || !isSeen; round += 1) yield* shiftTags(readEightSeconds(), round * 8_000);
    }
    const published = publishTags({ port: stage.urls.rtmpPort, streamKey: stream.streamKey }, choose(), { speed: 4 });
    const live = await waitUntil(await app.stream.watch({ streamId }), ({ stream: { air } }) => air.kind === 'on-air');
    expect((await api('GET', `/stream/${streamId}`)).body).toMatchObject({ isActive: true });
    const playlists = followPlaylist(stage.url('source/index.m3u8'));
    const info = await waitUntil(await app.service.watch(), ({ notices }) => notices.length > 0);
    expect(info.notices.map(describeNotice).join()).toMatch(new RegExp(`^${sentence}.* \\d+ changes? waits? in memory`));
    expect(await stage.health()).toMatchObject({
      status: 503,
      body: { errors: [expect.stringContaining(sentence)] },
    });
    isSeen = true;
    await published;
    // Viewers, the screens and the interface see the end, though it is not stored yet.
    expect((await playlists).at(-1)).toContain('#EXT-X-ENDLIST');
    await waitUntil(await app.stream.watch({ streamId }), ({ stream: { air } }) => air.kind === 'off-air');
    const [session] = await app.session.list({ streamId });
    expect(session).toMatchObject({ id: live.session?.id, isActive: false, endReason: expect.any(String) });
    expect((await api('GET', `/stream/${streamId}`)).body).toMatchObject({
      isActive: false,
      sourceSegments: session?.sourceSegments,
    });
    expect((await api('GET', `/session/${session?.id}`)).body).toMatchObject({ parentId: streamId, isActive: false });
    expect((await api('GET', '/stream?sessionsonly=1')).body).toMatchObject([{ id: session?.id }]);
    expect(stage.storedSessions()).toEqual([]);
    // Reported once, however often it was tried.
    const errors = stage.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
    expect(errors.map(({ msg }) => msg)).toEqual(['The store cannot be written. Changes are kept in memory.']);

    refused[Symbol.dispose]();
    await waitUntil(await app.service.watch(), ({ notices }) => notices.length === 0);
    expect(stage.storedSessions()).toEqual([
      { id: session?.id, is_active: 0, source_segments: session?.sourceSegments, end_reason: session?.endReason },
    ]);
    expect(await stage.health()).toEqual({ status: 200, body: { status: 'ok' } });
  },
);

test('while another program locks the store, a write request gets 503 within about a second and does not delay reads', async () => {
  await using stage = await startStage();
  const { api, app, stream } = stage;
  using rival = lockStore(stage.folder);
  const order: string[] = [];
  // No time passes until the reads are answered: on a busy computer, they may take longer than the writes wait.
  using time = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const path = `${stage.urls.apiBaseUrl}/stream`;
  const headers = { authorization: `Bearer ${stage.secret}`, 'content-type': 'application/json' };
  const write = (method: string, url: string, body?: object) =>
    fetch(url, { method, headers, body: JSON.stringify(body) ?? null }).then(async (response) => {
      order.push('written');
      return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() };
    });
  const writes = Promise.all([
    write('POST', path, { name: 'b' }),
    write('PATCH', `${path}/${stream.id}`, { name: 'b' }),
    write('DELETE', `${path}/${stream.id}`),
  ]);
  const calls = Promise.allSettled([
    app.stream.create({ name: 'b' }),
    app.stream.update({ streamId: stream.id, changes: { name: 'b' } }),
    app.stream.delete({ streamId: stream.id }),
    app.settings.update({ partMs: 300 }),
    app.apiKey.create({ name: 'b' }),
  ]);
  for (let count = 0; count < 5; count += 1) {
    expect((await api('GET', `/stream/${stream.id}`)).status).toBe(200);
    expect((await api('GET', '/stream')).body).toEqual([stream]);
    order.push('read');
  }
  expect(order).toEqual(Array(5).fill('read'));
  time.mockRestore();
  const sentence = 'The store is locked by another program. Close it, or wait until it is done.';
  expect(await writes).toEqual(Array(3).fill({ status: 503, retryAfter: '1', body: { errors: [sentence] } }));
  const refusal = { status: 'rejected', reason: expect.objectContaining({ code: 'UNAVAILABLE', message: sentence }) };
  expect(await calls).toEqual(Array(5).fill(refusal));
  rival.release();
  expect((await api('POST', '/stream', { name: 'c' })).status).toBe(201);
  expect((await api('GET', '/stream')).body).toMatchObject([{ name: 'c' }, { name: 'Sunday show' }]);
});
