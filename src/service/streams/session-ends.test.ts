import { expect, test } from 'vitest';
import { lockStore } from '../../../test/support/rival-program.ts';
import { makeTestFolder, openStoreStand, type StoreStand } from '../../../test/support/store-stand.ts';
import { openMemorySecretStore } from '../secrets/memory-secret-store.ts';
import { type EndCause, parseEndedBy } from './end-cause.ts';

const t0 = 1_700_000_000_000;
const lostEnd = { reason: 'ingest-lost' } as const;

function broadcast({ ledger }: StoreStand, streamId: string, end?: EndCause): string {
  const { id } = ledger.beginSession(streamId, t0);
  if (end) ledger.endSession(id, t0 + 31_000, end);
  return id;
}

test('a session that ended unintentionally is lost until dismissed or until the next one is on air', async () => {
  using stand = await openStoreStand();
  const { ends } = stand.streams;
  const { id: streamId } = await stand.streams.create({ name: 'Sunday show' });
  broadcast(stand, streamId, { reason: 'stopped' });
  expect(ends.findLost(streamId)).toBeUndefined();
  const sessionId = broadcast(stand, streamId, { reason: 'encoder-failed', failure: { code: 'exited', exitCode: 1 } });
  expect(ends.findLost(streamId)).toBe(sessionId);
  expect(ends.find(sessionId)).toEqual({
    sessionId,
    startedAt: t0,
    at: t0 + 31_000,
    lastedMs: 31_000,
    goneMs: 31_000,
    reason: 'encoder-failed',
    failure: { code: 'exited', exitCode: 1 },
  });
  ends.dismissLost(streamId, 'another session');
  expect(ends.findLost(streamId)).toBe(sessionId);
  ends.dismissLost(streamId, sessionId);
  expect(ends.findLost(streamId)).toBeUndefined();
  expect(broadcast(stand, streamId, lostEnd)).toBe(ends.findLost(streamId));
  broadcast(stand, streamId);
  expect(ends.findLost(streamId)).toBeUndefined();
});

test('losses and dismissals survive a restart, and a session ended by a crash is lost', async () => {
  using folder = makeTestFolder();
  const secrets = openMemorySecretStore();
  const { lost, dismissed, crashed, sessionId } = await (async () => {
    using stand = await openStoreStand({ folder: folder.path, secrets });
    const create = async (name: string) => (await stand.streams.create({ name })).id;
    const ids = { lost: await create('Lost'), dismissed: await create('Dismissed'), crashed: await create('Crashed') };
    broadcast(stand, ids.lost, lostEnd);
    stand.streams.ends.dismissLost(ids.dismissed, broadcast(stand, ids.dismissed, lostEnd));
    return { ...ids, sessionId: broadcast(stand, ids.crashed) };
  })();
  using again = await openStoreStand({ folder: folder.path, secrets });
  const { ends } = again.streams;
  expect(ends.find(ends.findLost(lost) ?? '')).toMatchObject({ startedAt: t0, at: t0 + 31_000, reason: 'ingest-lost' });
  expect(ends.findLost(dismissed)).toBeUndefined();
  expect(ends.findLost(crashed)).toBe(sessionId);
  expect(ends.find(sessionId)).toMatchObject({ reason: 'service-crashed' });
});

test('open screens learn of a crash as soon as the store lets it be repaired', async () => {
  using folder = makeTestFolder();
  const secrets = openMemorySecretStore();
  const { crashed, sessionId } = await (async () => {
    using stand = await openStoreStand({ folder: folder.path, secrets });
    const create = async (name: string) => (await stand.streams.create({ name })).id;
    broadcast(stand, await create('Lost before'), lostEnd);
    const crashed = await create('Crashed');
    return { crashed, sessionId: broadcast(stand, crashed) };
  })();
  using rival = lockStore(folder.path);
  using again = await openStoreStand({ folder: folder.path, secrets });
  expect(again.streams.ends.findLost(crashed)).toBeUndefined();
  rival.release();
  expect(again.writer.flush()).toBe(true);
  expect(again.streams.ends.findLost(crashed)).toBe(sessionId);
  expect(again.changes).toEqual([{ kind: 'changed', streamId: crashed }]);
});

test('a session ended by a crash is no longer lost once the next one is on air, even while the store cannot be written', async () => {
  using folder = makeTestFolder();
  const secrets = openMemorySecretStore();
  const streamId = await (async () => {
    using stand = await openStoreStand({ folder: folder.path, secrets });
    const { id } = await stand.streams.create({ name: 'Sunday show' });
    broadcast(stand, id);
    return id;
  })();
  using rival = lockStore(folder.path);
  using again = await openStoreStand({ folder: folder.path, secrets });
  broadcast(again, streamId);
  rival.release();
  expect(again.writer.flush()).toBe(true);
  expect(again.streams.ends.findLost(streamId)).toBeUndefined();
});

/** The end of a session that a crash left open after 10 min. Meanwhile the clock was set by this many milliseconds. */
async function crash(setMs: number, counted: { sourceSegments: number; sourceDurationSeconds: number }) {
  using folder = makeTestFolder();
  const sessionId = await (async () => {
    using stand = await openStoreStand({ folder: folder.path, time: t0 });
    const { id } = await stand.streams.create({ name: 'Sunday show' });
    const session = broadcast(stand, id);
    stand.clock.time += 600_000;
    stand.clock.setMs = setMs;
    stand.ledger.addProgress(session, { lastSeen: stand.clock.now(), ...counted });
    expect(stand.streams.ends.find(session)).toBeUndefined();
    expect(stand.writer.flush()).toBe(true);
    return session;
  })();
  using again = await openStoreStand({ folder: folder.path });
  return again.streams.ends.find(sessionId);
}

test('a crashed session whose clock was set back lasted as long as its media, not less than nothing', async () => {
  const end = await crash(-3_600_000, { sourceSegments: 300, sourceDurationSeconds: 600 });
  expect(end).toMatchObject({ reason: 'service-crashed', lastedMs: 600_000, goneMs: 0 });
});

test.each([-3_600_000, 3_600_000])(
  'a crashed session lasted as long as it ran, though the clock was set by %i ms',
  async (setMs) => {
    // Its publisher was away for half of the time.
    const end = await crash(setMs, { sourceSegments: 150, sourceDurationSeconds: 300 });
    expect(end).toMatchObject({ reason: 'service-crashed', lastedMs: 600_000, goneMs: 0 });
  },
);

test('the store records who ended a session over the interface', async () => {
  using folder = makeTestFolder();
  const sessionId = await (async () => {
    using stand = await openStoreStand({ folder: folder.path });
    const { id } = await stand.streams.create({ name: 'Sunday show' });
    stand.streams.terminate(id, { tokenName: 'robot' });
    expect(stand.live.ended).toEqual([{ streamId: id, reason: 'terminated', by: 'robot' }]);
    return broadcast(stand, id, { reason: 'terminated', by: 'robot' });
  })();
  using again = await openStoreStand({ folder: folder.path });
  expect(again.streams.ends.find(sessionId)).toMatchObject({ reason: 'terminated', by: 'robot' });
});

test('the store records why our encoder failed; earlier versions stored it in words', async () => {
  using folder = makeTestFolder();
  const failure = { code: 'killed', signal: 'SIGKILL' } as const;
  const sessionId = await (async () => {
    using stand = await openStoreStand({ folder: folder.path });
    const { id } = await stand.streams.create({ name: 'Sunday show' });
    return broadcast(stand, id, { reason: 'encoder-failed', failure });
  })();
  using again = await openStoreStand({ folder: folder.path });
  expect(again.streams.ends.find(sessionId)).toMatchObject({ reason: 'encoder-failed', failure });
  for (const text of ['ffmpeg exited with code 1.', '17']) {
    expect(parseEndedBy('encoder-failed', text)).toEqual({ failure: { code: 'said', text } });
  }
});

test.each(['{"code":"of a later version"}', '{"code":"source-ended"}', '{"code":"no-answer","afterMs":5000}'])(
  'a failure that only another version knows is unknown, and nobody reads its JSON: %s',
  (text) => {
    expect(parseEndedBy('encoder-failed', text)).toEqual({});
  },
);

test('without a stored length, as from earlier versions, the times decide, and a clock set back makes none negative', async () => {
  using stand = await openStoreStand();
  const { ends, ...streams } = stand.streams;
  const { id } = await streams.create({ name: 'Sunday show' });
  const sessionId = broadcast(stand, id, lostEnd);
  stand.writer.flush();
  const leave = stand.db.prepare(
    'UPDATE stream SET lasted_ms = NULL, gone_ms = NULL, ended_at = ?, last_seen = ? WHERE id = ?',
  );
  leave.run(t0 + 31_000, t0 + 1_000, sessionId);
  expect(ends.find(sessionId)).toMatchObject({ lastedMs: 31_000, goneMs: 30_000 });
  leave.run(t0 - 3_600_000, t0 + 1_000, sessionId);
  expect(ends.find(sessionId)).toMatchObject({ lastedMs: 0, goneMs: 0 });
});

test('an end with a reason that this version does not know is unknown', async () => {
  using stand = await openStoreStand();
  const { id: streamId } = await stand.streams.create({ name: 'Sunday show' });
  const sessionId = broadcast(stand, streamId, { reason: 'stopped' });
  stand.db.prepare('UPDATE stream SET end_reason = ? WHERE id = ?').run('st\ufffdpped', sessionId);
  expect(stand.streams.ends.find(sessionId)).toBeUndefined();
});
