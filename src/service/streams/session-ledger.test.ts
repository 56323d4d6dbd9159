import { expect, test } from 'vitest';
import { makeDiskFault } from '../../../test/support/disk-fault.ts';
import { createTestLog, makeTestFolder, openStoreStand, type StoreStand } from '../../../test/support/store-stand.ts';
import { createEventSource } from '../lib/event-source.ts';
import { openSessionTable } from '../store/session-table.ts';
import { randomIds } from './new-ids.ts';
import { openSessionLedger } from './session-ledger.ts';

const t0 = 1_700_000_000_000;
const profiles = [{ name: '720p', bitrate: 3_000_000, fps: 30, width: 1280, height: 720 }];
const all = { kind: 'all', activeOnly: false, limit: 20 } as const;

test("a broadcast creates one session with its stream's name and profiles; both are active", async () => {
  using stand = await openStoreStand();
  const stream = await stand.streams.create({ name: 'Sunday show', profiles }, { tokenName: 'robot' });
  const { id } = stand.ledger.beginSession(stream.id, t0 + 5_000);
  expect(stand.streams.get(id)).toEqual({
    id,
    parentId: stream.id,
    kind: 'stream',
    name: 'Sunday show',
    profiles,
    createdAt: t0 + 5_000,
    createdByTokenName: 'robot',
    isActive: true,
    lastSeen: t0 + 5_000,
    sourceSegments: 0,
    sourceSegmentsDuration: 0,
    transcodedSegments: 0,
    transcodedSegmentsDuration: 0,
    userID: stream.userID,
    userId: stream.userId,
  });
  expect(stand.streams.get(stream.id)).toEqual({ ...stream, isActive: true, lastSeen: t0 + 5_000 });
});

test('counters add up in the session and its stream, which has all-time totals, and are readable before a flush', async () => {
  using stand = await openStoreStand();
  const stream = await stand.streams.create({ name: 'Sunday show', profiles });
  const first = stand.ledger.beginSession(stream.id, t0);
  // Ten times a tenth is exactly 1: sums have no floating-point error.
  for (let count = 1; count <= 10; count++) {
    stand.ledger.addProgress(first.id, {
      lastSeen: t0 + count,
      sourceSegments: 1,
      sourceDurationSeconds: 0.1,
      transcodedSegments: 2,
      transcodedDurationSeconds: 0.2,
    });
  }
  const counters = { sourceSegments: 10, sourceSegmentsDuration: 1, transcodedSegments: 20, transcodedSegmentsDuration: 2 };
  expect(stand.streams.get(first.id)).toMatchObject({ ...counters, lastSeen: t0 + 10 });
  expect(stand.streams.get(stream.id)).toMatchObject({ ...counters, lastSeen: t0 + 10 });
  stand.writer.flush();
  expect(stand.streams.get(stream.id)).toMatchObject(counters);
  stand.ledger.endSession(first.id, t0 + 20, { reason: 'stopped' });

  const second = stand.ledger.beginSession(stream.id, t0 + 30);
  stand.ledger.addProgress(second.id, { lastSeen: t0 + 31, sourceSegments: 1, sourceDurationSeconds: 2.002 });
  expect(stand.streams.get(second.id)).toMatchObject({ sourceSegments: 1, sourceSegmentsDuration: 2.002 });
  expect(stand.streams.get(stream.id)).toMatchObject({ sourceSegments: 11, sourceSegmentsDuration: 3.002, isActive: true });
});

test('the end of a broadcast makes session and stream inactive, and stores everything pending', async () => {
  using folder = makeTestFolder();
  {
    using stand = await openStoreStand({ folder: folder.path });
    const stream = await stand.streams.create({ name: 'Sunday show' });
    const { id } = stand.ledger.beginSession(stream.id, t0);
    stand.ledger.addProgress(id, { lastSeen: t0 + 2_000, sourceSegments: 1, sourceDurationSeconds: 2 });
    stand.ledger.endSession(id, t0 + 2_500, { reason: 'ingest-lost' });
    // Progress after the end changes nothing.
    stand.ledger.addProgress(id, { lastSeen: t0 + 9_000 });
    stand.ledger.endSession(id, t0 + 9_000, { reason: 'stopped' });
    expect(stand.streams.get(id)).toMatchObject({ isActive: false, lastSeen: t0 + 2_000, sourceSegments: 1 });
    expect(stand.streams.get(stream.id)).toMatchObject({ isActive: false, lastSeen: t0 + 2_000, sourceSegments: 1 });
    expect(stand.streams.ends.find(id)).toMatchObject({ at: t0 + 2_500, reason: 'ingest-lost' });
  }
  using again = await openStoreStand({ folder: folder.path });
  expect(again.streams.list(all).items).toMatchObject([
    { isActive: false, sourceSegments: 1, parentId: expect.any(String) },
    { isActive: false, sourceSegments: 1 },
  ]);
});

test('rendition segments after the end are counted, but make nothing active', async () => {
  using stand = await openStoreStand();
  const stream = await stand.streams.create({ name: 'Sunday show', profiles });
  const { id } = stand.ledger.beginSession(stream.id, t0);
  stand.ledger.addProgress(id, { lastSeen: t0 + 2_000, sourceSegments: 1, sourceDurationSeconds: 2 });
  stand.ledger.endSession(id, t0 + 2_500, { reason: 'stopped' });
  for (let count = 1; count <= 3; count += 1) stand.ledger.addLateTranscoded({ id, streamId: stream.id }, 2);
  const expected = { isActive: false, lastSeen: t0 + 2_000, transcodedSegments: 3, transcodedSegmentsDuration: 6 };
  expect(stand.streams.get(id)).toMatchObject(expected);
  expect(stand.streams.get(stream.id)).toMatchObject(expected);
});

test('the next start repairs streams that a crash left active, and ends their sessions', async () => {
  using folder = makeTestFolder();
  const { id, streamId } = await (async () => {
    using stand = await openStoreStand({ folder: folder.path });
    const stream = await stand.streams.create({ name: 'Sunday show' });
    return { streamId: stream.id, ...stand.ledger.beginSession(stream.id, t0) };
  })();
  using again = await openStoreStand({ folder: folder.path });
  expect(again.streams.get(streamId)).toMatchObject({ isActive: false });
  expect(again.streams.get(id)).toMatchObject({ isActive: false });
  expect(again.streams.ends.find(id)).toMatchObject({ at: t0, reason: 'service-crashed' });
  expect(again.lines.map(({ msg }) => msg)).toContain(
    'The last run did not close properly. Streams that it left active are now inactive.',
  );
});

test('a stream last seen 90 s ago is active; a moment later it is inactive, and stored so later', async () => {
  using stand = await openStoreStand();
  const stream = await stand.streams.create({ name: 'Sunday show' });
  const { id } = stand.ledger.beginSession(stream.id, t0);
  const stored = () => stand.db.prepare('SELECT sum(is_active) AS active FROM stream').get();
  stand.clock.time = t0 + 90_000;
  expect(stand.streams.get(stream.id).isActive).toBe(true);
  stand.clock.time = t0 + 90_001;
  expect(stand.streams.get(stream.id).isActive).toBe(false);
  expect(stand.streams.get(id).isActive).toBe(false);
  // Reading writes nothing.
  stand.writer.flush();
  expect(stored()).toEqual({ active: 2 });
  stand.changes.length = 0;
  stand.ledger.noteStale();
  expect(stand.changes).toEqual([{ kind: 'changed', streamId: stream.id }]);
  stand.writer.flush();
  expect(stored()).toEqual({ active: 0 });
  // A session that continues after all (the computer slept) is active again.
  stand.ledger.addProgress(id, { lastSeen: t0 + 90_002 });
  expect(stand.streams.get(stream.id)).toMatchObject({ isActive: true, lastSeen: t0 + 90_002 });
  expect(stand.streams.get(id)).toMatchObject({ isActive: true, lastSeen: t0 + 90_002 });
  stand.writer.flush();
  expect(stored()).toEqual({ active: 2 });
});

test.each([-3_600_000, 3_600_000])(
  'setting the wall clock by %i ms does not change which streams are active',
  async (setMs) => {
    using stand = await openStoreStand();
    const { clock, streams, ledger } = stand;
    const { id: streamId } = await streams.create({ name: 'Sunday show' });
    const { id } = ledger.beginSession(streamId, t0);
    const active = () => [streams.get(streamId).isActive, streams.get(id).isActive, ledger.activeIds().length];
    stand.changes.length = 0;
    clock.time += 1_000;
    clock.setMs = setMs;
    ledger.noteStale();
    expect([active(), stand.changes]).toEqual([[true, true, 2], []]);
    ledger.addProgress(id, { lastSeen: clock.now() });
    clock.time += 90_000;
    expect(active()).toEqual([true, true, 2]);
    clock.time += 1;
    expect(active()).toEqual([false, false, 0]);
  },
);

test.each([-3_600_000, 3_600_000])(
  'setting the wall clock by %i ms moves lastSeen with it, before and after it is stored',
  async (setMs) => {
    using stand = await openStoreStand();
    const { clock, streams, ledger, writer } = stand;
    const { id: streamId } = await streams.create({ name: 'Sunday show' });
    const { id } = ledger.beginSession(streamId, clock.now());
    const seen = () => [streams.get(streamId).lastSeen, streams.get(id).lastSeen];
    for (const isStored of [false, true]) {
      for (const ms of [0, setMs]) {
        clock.setMs = ms;
        ledger.addProgress(id, { lastSeen: clock.now() });
        if (isStored) writer.flush();
        ledger.addProgress(id, { transcodedSegments: 1, transcodedDurationSeconds: 2 });
        if (isStored) writer.flush();
        expect(seen()).toEqual([clock.now(), clock.now()]);
      }
    }
  },
);

test('a list of active streams has no stale ones', async () => {
  using stand = await openStoreStand();
  const stale = await stand.streams.create({ name: 'stale' });
  const fresh = await stand.streams.create({ name: 'fresh' });
  stand.ledger.beginSession(stale.id, t0);
  stand.ledger.beginSession(fresh.id, t0 + 60_000);
  stand.clock.time = t0 + 100_000;
  const page = stand.streams.list({ kind: 'streams', activeOnly: true, limit: 20 });
  expect(page.items.map(({ name }) => name)).toEqual(['fresh']);
});

test('the next media and discontinuity sequence numbers of a stream survive a restart', async () => {
  using folder = makeTestFolder();
  let streamId = '';
  {
    using stand = await openStoreStand({ folder: folder.path });
    streamId = (await stand.streams.create({ name: 'Sunday show' })).id;
    expect(stand.ledger.getNextSequences(streamId)).toEqual({
      nextMediaSequence: 0,
      nextDiscontinuitySequence: 0,
      isNew: true,
    });
    const { id } = stand.ledger.beginSession(streamId, t0);
    const nextSequences = { nextMediaSequence: 41, nextDiscontinuitySequence: 2 };
    stand.ledger.addProgress(id, { lastSeen: t0, nextSequences });
    expect(stand.ledger.getNextSequences(streamId)).toEqual({ ...nextSequences, isNew: true });
  }
  using again = await openStoreStand({ folder: folder.path });
  expect(again.ledger.getNextSequences(streamId)).toEqual({
    nextMediaSequence: 41,
    nextDiscontinuitySequence: 2,
    isNew: false,
  });
});

test('a stream is new in the run that created it, and in no later one, though no number of it is stored', async () => {
  using folder = makeTestFolder();
  const create = async (stand: StoreStand) => (await stand.streams.create({ name: 'Sunday show' })).id;
  let old = '';
  {
    using stand = await openStoreStand({ folder: folder.path });
    old = await create(stand);
    // Sessions that go live in between take numbers of the list, too.
    stand.ledger.beginSession(old, t0);
    const next = await create(stand);
    expect([old, next].map((id) => stand.ledger.getNextSequences(id).isNew)).toEqual([true, true]);
  }
  using again = await openStoreStand({ folder: folder.path });
  const streams = [old, await create(again), 'unknown'];
  expect(streams.map((id) => again.ledger.getNextSequences(id))).toEqual(
    [false, true, false].map((isNew) => ({ nextMediaSequence: 0, nextDiscontinuitySequence: 0, isNew })),
  );
});

test('while the store refuses, counters wait until it accepts them', async () => {
  using stand = await openStoreStand();
  const stream = await stand.streams.create({ name: 'Sunday show' });
  const { id } = stand.ledger.beginSession(stream.id, t0);
  stand.ledger.addProgress(id, { lastSeen: t0 + 1, sourceSegments: 1 });
  stand.db.exec('PRAGMA query_only = ON');
  expect(stand.writer.flush()).toBe(false);
  expect(stand.streams.get(stream.id).sourceSegments).toBe(1);
  stand.db.exec('PRAGMA query_only = OFF');
  expect(stand.writer.flush()).toBe(true);
  expect(stand.streams.get(stream.id).sourceSegments).toBe(1);
  expect(stand.db.prepare('SELECT source_segments AS count FROM stream').all()).toEqual([{ count: 1 }, { count: 1 }]);
});

test('a session begins even if its stream cannot be read, and is stored later', async () => {
  using stand = await openStoreStand();
  const stream = await stand.streams.create({ name: 'Sunday show' });
  const { log, lines } = createTestLog();
  const fault = makeDiskFault();
  const ledger = openSessionLedger({
    sessions: openSessionTable(stand.db),
    writer: stand.writer,
    clock: stand.clock,
    newIds: randomIds,
    log,
    changes: createEventSource(),
    streams: {
      find: () => {
        throw fault;
      },
    },
  });
  const { id } = ledger.beginSession(stream.id, t0);
  ledger.close();
  expect(lines.map(({ msg }) => msg)).toEqual(['The store could not be read when a session began.']);
  expect(stand.streams.get(id)).toMatchObject({ parentId: stream.id, name: 'Sunday show', createdAt: t0 });
});

test('broadcasts that are not stored yet are listed as stored ones are: by kind, stream and recording, in pages', async () => {
  using stand = await openStoreStand();
  const recorded = await stand.streams.create({ name: 'Recorded' });
  await stand.streams.update(recorded.id, { record: true });
  const other = await stand.streams.create({ name: 'Other' });
  const stored = stand.ledger.beginSession(other.id, t0);
  stand.writer.flush();
  stand.db.exec('PRAGMA query_only = ON');
  const first = stand.ledger.beginSession(recorded.id, t0 + 1);
  const second = stand.ledger.beginSession(other.id, t0 + 2);
  const { streams } = stand;
  const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

  expect(idsOf(streams.list(all))).toEqual([second.id, first.id, stored.id, other.id, recorded.id]);
  expect(idsOf(streams.list({ ...all, kind: 'streams' }))).toEqual([other.id, recorded.id]);
  expect(idsOf(streams.listSessions(other.id, { limit: 20 }))).toEqual([second.id, stored.id]);
  expect(idsOf(streams.listSessions(undefined, { limit: 20, record: true }))).toEqual([first.id]);
  const page = (cursor?: string) => streams.listSessions(undefined, { limit: 1, cursor });
  const pages = [page()];
  for (let count = 2; count <= 3; count += 1) pages.push(page(pages.at(-1)?.nextCursor));
  expect(pages.map(idsOf)).toEqual([[second.id], [first.id], [stored.id]]);
  expect(pages.at(-1)?.nextCursor).toBeUndefined();
  stand.db.exec('PRAGMA query_only = OFF');
});

test('a session that can never be stored does not affect changes of other streams', async () => {
  using stand = await openStoreStand();
  const broken = await stand.streams.create({ name: 'Broken' });
  const whole = await stand.streams.create({ name: 'Whole' });
  stand.db.exec(
    `CREATE TRIGGER no_session BEFORE INSERT ON stream WHEN NEW.parent_id = '${broken.id}' BEGIN SELECT RAISE(ABORT, 'never'); END`,
  );
  stand.db.exec('PRAGMA query_only = ON');
  const [lost, kept] = [broken, whole].map(({ id }) => {
    const session = stand.ledger.beginSession(id, t0);
    stand.ledger.addProgress(session.id, { lastSeen: t0 + 1, sourceSegments: 1 });
    stand.ledger.endSession(session.id, t0 + 2, { reason: 'stopped' });
    return session.id;
  });
  stand.db.exec('PRAGMA query_only = OFF');
  expect(stand.writer.flush()).toBe(true);
  const stored = stand.db.prepare('SELECT id, source_segments AS count, end_reason AS reason FROM stream ORDER BY seq').all();
  expect(stored).toEqual([
    { id: broken.id, count: 1, reason: null },
    { id: whole.id, count: 1, reason: null },
    { id: kept, count: 1, reason: 'stopped' },
  ]);
  const dropped = stand.lines.filter(({ level }) => level >= 50);
  expect(dropped).toEqual([expect.objectContaining({ dropped: { begun: { id: lost, parentId: broken.id, at: t0 } } })]);
});

test("listeners are notified of a session's beginning, progress and end", async () => {
  using stand = await openStoreStand();
  const { id: streamId } = await stand.streams.create({ name: 'Sunday show' });
  const { id } = stand.ledger.beginSession(streamId, t0);
  stand.ledger.addProgress(id, { lastSeen: t0, sourceSegments: 1 });
  stand.ledger.endSession(id, t0, { reason: 'stopped' });
  expect(stand.changes).toEqual([
    { kind: 'created', streamId },
    { kind: 'changed', streamId },
    { kind: 'changed', streamId },
    { kind: 'changed', streamId },
  ]);
});
