import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { lockStore } from '../../../test/support/rival-program.ts';
import { createTestLog, makeTestFolder, openStoreStand } from '../../../test/support/store-stand.ts';
import { testSource } from '../../shared/model/source.ts';
import { openMemorySecretStore } from '../secrets/memory-secret-store.ts';
import { openChoiceTable } from '../store/choice-table.ts';
import { openHoldTable } from '../store/hold-table.ts';
import { openChoiceLedger } from './choice-ledger.ts';
import { openHoldLedger } from './hold-ledger.ts';
import { randomIds } from './new-ids.ts';

const t0 = 1_700_000_000_000;

describe('stream keys', () => {
  test('find their stream, and other texts in the same format find none', async () => {
    using stand = await openStoreStand();
    const { streamKey, ...keyless } = await stand.streams.create({ name: 'Sunday show' });
    expect(stand.streams.findByStreamKey(streamKey)).toEqual({ kind: 'found', stream: keyless });
    for (const other of ['aaaa-bbbb-cccc-dddd', '', streamKey.toUpperCase(), `${streamKey} `, 'x'.repeat(100_000)]) {
      expect(stand.streams.findByStreamKey(other)).toEqual({ kind: 'unknown' });
    }
  });

  test('are not in the playback id, nor in keyless views', async () => {
    using stand = await openStoreStand();
    const { id, streamKey, playbackId } = await stand.streams.create({ name: 'Sunday show' });
    expect(streamKey.replaceAll('-', '')).not.toBe(playbackId);
    expect(JSON.stringify([stand.streams.getKeyless(id), stand.streams.listKeyless()])).not.toContain(streamKey);
    expect(stand.streams.findByPlaybackId(playbackId)).toEqual(stand.streams.getKeyless(id));
    expect(stand.streams.revealKey(id)).toBe(streamKey);
  });

  test('and API keys never appear in plain text in the data folder or the log', async () => {
    using folder = makeTestFolder();
    using stand = await openStoreStand({ folder: folder.path });
    const stream = await stand.streams.create({ name: 'Sunday show' });
    const deleted = await stand.streams.create({ name: 'Old show' });
    await stand.streams.delete(deleted.id);
    const { secret } = await stand.apiKeys.create('robot');
    stand.apiKeys.authenticate(secret);
    const files = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name)));
    expect(files.length).toBeGreaterThan(1);
    for (const text of [stream.streamKey, deleted.streamKey, secret, secret.slice(3)]) {
      for (const spelling of [
        Buffer.from(text),
        Buffer.from(text, 'utf16le'),
        Buffer.from(Buffer.from(text).toString('base64')),
      ]) {
        expect(files.filter((file) => file.includes(spelling))).toEqual([]);
      }
      expect(JSON.stringify(stand.lines)).not.toContain(text);
    }
  });

  test('are replaced with a notice if the next process has another master key', async () => {
    using folder = makeTestFolder();
    const created = await (async () => {
      using stand = await openStoreStand({ folder: folder.path });
      return [await stand.streams.create({ name: 'one' }), await stand.streams.create({ name: 'two' })];
    })();
    using again = await openStoreStand({ folder: folder.path });
    expect(again.streams.notices).toEqual([{ code: 'keys-replaced', streams: 2 }]);
    for (const { id, streamKey, name } of created) {
      const reissued = again.streams.revealKey(id);
      expect(reissued).toMatch(/^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/);
      expect(reissued).not.toBe(streamKey);
      expect(again.streams.findByStreamKey(streamKey)).toEqual({ kind: 'unknown' });
      expect(again.streams.findByStreamKey(reissued)).toMatchObject({ kind: 'found', stream: { id, name } });
    }
    const told: unknown[] = [];
    again.streams.onNotice(() => told.push(again.streams.notices));
    for (const { id } of created) await again.streams.delete(id);
    expect(told).toEqual([[{ code: 'keys-replaced', streams: 1 }], []]);
  });

  test('stay the same if the next process has the same master key', async () => {
    using folder = makeTestFolder();
    const secrets = openMemorySecretStore();
    const { id, streamKey } = await (async () => {
      using stand = await openStoreStand({ folder: folder.path, secrets });
      return await stand.streams.create({ name: 'one' });
    })();
    using again = await openStoreStand({ folder: folder.path, secrets });
    expect(again.streams.notices).toEqual([]);
    expect(again.streams.revealKey(id)).toBe(streamKey);
  });

  test('a key that cannot be opened is replaced when needed, with a notice', async () => {
    using stand = await openStoreStand();
    const { id, streamKey } = await stand.streams.create({ name: 'Sunday show' });
    stand.db.prepare("UPDATE stream SET sealed_key = x'00' WHERE id = ?").run(id);
    const { streamKey: reissued } = stand.streams.get(id) as { streamKey: string };
    expect(reissued).not.toBe(streamKey);
    expect(stand.streams.notices).toEqual([{ code: 'key-replaced', streamName: 'Sunday show' }]);
    expect(stand.streams.findByStreamKey(reissued)).toMatchObject({ kind: 'found', stream: { id } });
    expect(stand.streams.findByStreamKey(streamKey)).toEqual({ kind: 'unknown' });
    await stand.streams.delete(id);
    expect(stand.streams.notices).toEqual([]);
  });

  test('a key that was replaced because it could not be opened is kept over a restart, and refused once it is renewed', async () => {
    using folder = makeTestFolder();
    const secrets = openMemorySecretStore();
    const { id, streamKey } = await (async () => {
      using stand = await openStoreStand({ folder: folder.path, secrets });
      const { id } = await stand.streams.create({ name: 'Sunday show' });
      stand.db.prepare("UPDATE stream SET sealed_key = x'00' WHERE id = ?").run(id);
      const streamKey = stand.streams.revealKey(id);
      expect(stand.writer.flush()).toBe(true);
      return { id, streamKey };
    })();
    using again = await openStoreStand({ folder: folder.path, secrets });
    expect(again.streams.revealKey(id)).toBe(streamKey);
    expect(again.streams.notices).toEqual([]);
    again.db.prepare("UPDATE stream SET sealed_key = x'00' WHERE id = ?").run(id);
    const replaced = again.streams.revealKey(id);
    await again.streams.renewKey(id);
    expect(again.streams.findByStreamKey(replaced)).toMatchObject({ kind: 'old-key', stream: { id } });
    expect(again.streams.findByStreamKey(again.streams.revealKey(id))).toMatchObject({ kind: 'found', stream: { id } });
  });
});

test('a stream that is deleted while its creation waits for the disk was created all the same', async () => {
  using stand = await openStoreStand();
  const creating = stand.streams.create({ name: 'Sunday show' });
  const [created] = stand.streams.listKeyless();
  const streamKey = stand.streams.revealKey(created!.id);
  await Promise.all([expect(creating).resolves.toEqual({ ...created, streamKey }), stand.streams.delete(created!.id)]);
  expect(stand.streams.findKeyless(created!.id)).toBeUndefined();
});

test.each(['id', 'streamKey', 'playbackId'] as const)('the %s of a deleted stream is never used again', async (name) => {
  let drawn = 0;
  const draws: string[] = [];
  // Every text is new, except that the one in question is repeated at first.
  const draw = (kind: typeof name, make: () => string) => {
    if (kind === name && drawn++ === 1) return draws[0] ?? '';
    const made = make();
    if (kind === name) draws.push(made);
    return made;
  };
  using stand = await openStoreStand({
    newIds: {
      id: () => draw('id', randomIds.id),
      streamKey: () => draw('streamKey', randomIds.streamKey),
      playbackId: () => draw('playbackId', randomIds.playbackId),
    },
  });
  drawn = 0;
  draws.length = 0;
  const first = await stand.streams.create({ name: 'first' });
  await stand.streams.delete(first.id);
  const second = await stand.streams.create({ name: 'second' });
  expect(second[name]).not.toBe(first[name]);
  expect(drawn).toBe(3);
});

test('the store keeps of a deleted stream and its broadcasts only the values that must never be given out again', async () => {
  using stand = await openStoreStand();
  const { db, streams, ledger, writer } = stand;
  const kept = await streams.create({ name: 'Kept show', profiles: [] });
  const { id } = await streams.create({ name: 'Sunday show', profiles: [] }, { tokenName: 'robot' });
  await streams.update(id, { record: true, suspended: true, multistream: { targets: [] } });
  await streams.renewKey(id);
  const lost = ledger.beginSession(id, t0, { nextMediaSequence: 7, nextDiscontinuitySequence: 2 });
  const open = ledger.beginSession(id, t0 + 2);
  // Afterwards: a session that begins forgets that the one before it was lost.
  ledger.endSession(lost.id, t0 + 3, { reason: 'ingest-lost', by: 'robot' });
  const choices = openChoiceLedger(openChoiceTable(db), writer, createTestLog().log);
  const holds = openHoldLedger(openHoldTable(db), writer);
  // The writes of a broadcast may be waiting when its stream is deleted, or come after that.
  const write = () => {
    ledger.addProgress(open.id, {
      lastSeen: t0 + 3,
      sourceSegments: 1,
      sourceDurationSeconds: 1,
      transcodedSegments: 1,
      transcodedDurationSeconds: 1,
      nextSequences: { nextMediaSequence: 9, nextDiscontinuitySequence: 2 },
    });
    for (const streamId of [id, kept.id]) {
      choices.save(streamId, { source: testSource, encode: { kind: 'automatic' } });
      holds.save(streamId, { since: t0, lastTriedAt: null, longestPauseMs: 0, software: 'OBS', isForeign: true });
    }
  };
  const isSaid = (value: unknown) => value !== null && value !== 0 && value !== '' && (value as Uint8Array).length !== 0;
  const readSaid = () =>
    db
      .prepare('SELECT * FROM stream WHERE id = :id OR parent_id = :id ORDER BY seq')
      .all({ id })
      .map((row) => Object.keys(row).filter((column) => isSaid(row[column])));
  const columns = db.prepare("SELECT name FROM pragma_table_info('stream')").all().flatMap(Object.values);
  write();
  writer.flush();
  // A column that says nothing before can't show that it is erased.
  expect(new Set([...readSaid().flat(), 'deleted_at'])).toEqual(new Set(columns));
  write();
  await streams.delete(id, { tokenName: 'robot' });
  write();
  ledger.endSession(open.id, t0 + 4, { reason: 'ingest-lost', by: 'robot' });
  ledger.beginSession(id, t0 + 5);
  writer.flush();

  expect(readSaid()).toEqual([
    ['seq', 'id', 'playback_id', 'key_hash', 'deleted_at'],
    ['seq', 'id', 'parent_id', 'ended_at', 'deleted_at'],
    ['seq', 'id', 'parent_id', 'ended_at', 'deleted_at'],
  ]);
  expect(db.prepare('SELECT count(*) AS hashes FROM old_key WHERE stream_id = ?').get(id)).toEqual({ hashes: 1 });
  for (const table of ['hold', 'one_click_choice']) {
    expect(db.prepare(`SELECT stream_id AS id FROM ${table}`).all()).toEqual([{ id: kept.id }]);
  }
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const bytes = readFileSync(String(db.location()));
  expect([bytes.includes('Kept show'), bytes.includes('Sunday show')]).toEqual([true, false]);
});

describe('changes', () => {
  test('are reported to every listener until it stops listening', async () => {
    using stand = await openStoreStand();
    const heard: unknown[] = [];
    const stop = stand.onChange((change) => heard.push(change));
    const { id: streamId } = await stand.streams.create({ name: 'one' });
    await stand.streams.update(streamId, { name: 'two' });
    await stand.streams.delete(streamId);
    stop();
    await stand.streams.create({ name: 'unheard' });
    expect(heard).toEqual([
      { kind: 'created', streamId },
      { kind: 'changed', streamId },
      { kind: 'deleted', streamId },
    ]);
  });

  test('are visible to the next read, however often the stream was read before', async () => {
    using stand = await openStoreStand();
    const { id } = await stand.streams.create({ name: 'one' });
    const name = () => stand.streams.get(id).name;
    expect([name(), name()]).toEqual(['one', 'one']);
    await stand.streams.update(id, { name: 'two' });
    expect([name(), name()]).toEqual(['two', 'two']);
    await stand.streams.delete(id);
    expect(name).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });
});

test('a change of nothing is refused', async () => {
  using stand = await openStoreStand();
  const { id } = await stand.streams.create({ name: 'one' });
  for (const changes of [{}, { name: undefined }]) {
    await expect(stand.streams.update(id, changes)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { violations: [{ code: 'rule', path: [], words: 'must have at least one property to change' }] },
    });
  }
});

test('profiles cannot be changed while a publisher is connecting, before the stream is active', async () => {
  using stand = await openStoreStand();
  const { id } = await stand.streams.create({ name: 'one' });
  stand.live.running.add(id);
  await expect(stand.streams.update(id, { profiles: [] })).rejects.toMatchObject({
    code: 'STREAM_ACTIVE',
    message: 'Profiles and recording cannot be changed after an encoder has connected. Stop it first.',
  });
});

test('a session is not a stream: it has no key, and is not shown as one', async () => {
  using stand = await openStoreStand();
  const { id } = await stand.streams.create({ name: 'one' });
  const session = stand.ledger.beginSession(id, t0);
  expect(() => stand.streams.revealKey(session.id)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  expect(() => stand.streams.getKeyless(session.id)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
});

test('a name keeps every character', async () => {
  using folder = makeTestFolder();
  const names = ['Zoë 🎥 لايف', "'); DROP TABLE stream; --", 'a\u0000b', 'tab\tand\nline', '\u202Ereversed'];
  const secrets = openMemorySecretStore();
  {
    using stand = await openStoreStand({ folder: folder.path, secrets });
    for (const name of names) expect((await stand.streams.create({ name })).name).toBe(name);
  }
  using again = await openStoreStand({ folder: folder.path, secrets });
  expect(again.streams.listKeyless().map(({ name }) => name)).toEqual(names.toReversed());
});

test("random ids follow the interface's formats and do not repeat", () => {
  const ids = Array.from({ length: 1000 }, () => [randomIds.id(), randomIds.streamKey(), randomIds.playbackId()].join(' '));
  const shape =
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12} [a-z0-9]{4}(-[a-z0-9]{4}){3} [a-z0-9]{16}$/;
  expect(ids.filter((each) => !shape.test(each))).toEqual([]);
  expect(new Set(ids.flatMap((each) => each.split(' '))).size).toBe(3000);
});

describe('a new key for a stream', () => {
  test('makes the old one refused and recognised as old, also after a restart', async () => {
    using folder = makeTestFolder();
    const secrets = openMemorySecretStore();
    const { id, streamKey, renewed } = await (async () => {
      using stand = await openStoreStand({ folder: folder.path, secrets });
      const stream = await stand.streams.create({ name: 'Sunday show' });
      stand.streams.get(stream.id);
      stand.changes.length = 0;
      await stand.streams.renewKey(stream.id);
      expect(stand.changes).toEqual([{ kind: 'changed', streamId: stream.id }]);
      expect(stand.live.sentAway).toEqual([stream.id]);
      expect(stand.live.ended).toEqual([]);
      expect(stand.streams.get(stream.id)).toEqual({ ...stream, streamKey: stand.streams.revealKey(stream.id) });
      return { ...stream, renewed: stand.streams.revealKey(stream.id) };
    })();
    expect(renewed).not.toBe(streamKey);
    using again = await openStoreStand({ folder: folder.path, secrets });
    expect(again.streams.findByStreamKey(streamKey)).toMatchObject({ kind: 'old-key', stream: { id } });
    expect(again.streams.findByStreamKey(renewed)).toMatchObject({ kind: 'found', stream: { id } });
    expect(JSON.stringify(again.lines)).not.toContain(renewed);
    await again.streams.renewKey(id);
    for (const old of [streamKey, renewed]) expect(again.streams.findByStreamKey(old)).toMatchObject({ kind: 'old-key' });
    await again.streams.delete(id);
    for (const old of [streamKey, renewed]) expect(again.streams.findByStreamKey(old)).toEqual({ kind: 'unknown' });
  });

  test('is never one that any stream has or had', async () => {
    const draws: string[] = [];
    let toDraw: string[] = [];
    const streamKey = () => toDraw.shift() ?? randomIds.streamKey();
    using stand = await openStoreStand({ newIds: { ...randomIds, streamKey } });
    const first = await stand.streams.create({ name: 'first' });
    const second = await stand.streams.create({ name: 'second' });
    await stand.streams.renewKey(first.id);
    draws.push(first.streamKey, second.streamKey, stand.streams.revealKey(first.id));
    toDraw = [...draws];
    await stand.streams.renewKey(first.id);
    expect(toDraw).toEqual([]);
    toDraw = [...draws];
    const third = await stand.streams.create({ name: 'third' });
    expect(toDraw).toEqual([]);
    for (const key of [stand.streams.revealKey(first.id), third.streamKey]) expect(draws).not.toContain(key);
  });

  test('changes nothing and disconnects nobody if the store cannot be written', async () => {
    using folder = makeTestFolder();
    using stand = await openStoreStand({ folder: folder.path });
    const { id, streamKey } = await stand.streams.create({ name: 'one' });
    using _rival = lockStore(folder.path);
    await expect(stand.streams.renewKey(id)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(stand.streams.revealKey(id)).toBe(streamKey);
    expect(stand.streams.findByStreamKey(streamKey)).toMatchObject({ kind: 'found' });
    expect(stand.live.sentAway).toEqual([]);
  });

  test('is NOT_FOUND for a session and an unknown id', async () => {
    using stand = await openStoreStand();
    const { id } = await stand.streams.create({ name: 'one' });
    const session = stand.ledger.beginSession(id, t0);
    for (const other of [session.id, 'nothing']) {
      await expect(stand.streams.renewKey(other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

test('a broadcast can be terminated though the store cannot be read; a stream off air is looked up there', async () => {
  using stand = await openStoreStand();
  const { id } = await stand.streams.create({ name: 'Sunday show' });
  stand.live.running.add(id);
  stand.db.exec('ALTER TABLE stream RENAME TO unreadable');
  stand.streams.terminate(id);
  expect(stand.live.ended).toEqual([{ streamId: id, reason: 'terminated' }]);
  expect(() => stand.streams.terminate(id)).toThrow('no such table');
});

test('a list of streams reads no sessions, of which there may be very many', async () => {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  onTestFinished(() => prepare.mockRestore());
  using stand = await openStoreStand();
  expect(stand.streams.listKeyless()).toEqual([]);
  const query = prepare.mock.calls.map(([sql]) => sql).findLast((sql) => sql.includes('FROM stream WHERE'));
  const plan = stand.db.prepare(`EXPLAIN QUERY PLAN ${query}`).all();
  expect(plan.map(({ detail }) => detail)).toEqual(['SEARCH stream USING INDEX stream_own (seq<?)']);
});
