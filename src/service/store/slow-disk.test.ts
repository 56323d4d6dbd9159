import { readlinkSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noCheckpoints } from '../../../test/support/no-checkpoints.ts';
import { soon } from '../../../test/support/soon.ts';
import { createTestLog, makeTestFolder } from '../../../test/support/store-stand.ts';
import { openDatabase } from './database.ts';
import { openWriteAheadLog } from './disk-sync.ts';
import { openSettingTable } from './setting-table.ts';
import { createStoreProbe } from './store-health.ts';
import { openStoreWriter } from './store-writer.ts';

const { log, lines } = createTestLog();
let folder: ReturnType<typeof makeTestFolder>;
beforeEach(() => {
  folder = makeTestFolder();
  lines.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  folder[Symbol.dispose]();
});

/** A writer on a disk whose syncs finish when the test says so. */
function openStand() {
  const { db, check } = openDatabase(folder.path, log);
  const settings = openSettingTable(db);
  const syncs: PromiseWithResolvers<void>[] = [];
  const sync = () => {
    const started = Promise.withResolvers<void>();
    syncs.push(started);
    return started.promise;
  };
  const writer = openStoreWriter({ db, sync, checkpoints: noCheckpoints, check, probe: createStoreProbe(settings), log });
  const told: string[] = [];
  const write = (name: string) =>
    writer
      .write(
        () => settings.set(name, '1'),
        () => told.push(`${name} can be read`),
      )
      .then(
        () => told.push(`${name} is answered`),
        (error) => told.push(`${name}: ${error.code} ${error.fault.code}`),
      );
  /** Lets all pending work run. */
  const settle = async () => {
    for (let count = 0; count < 5; count += 1) await turn();
  };
  const close = async () => {
    const closed = writer.close();
    for (;;) {
      for (const each of syncs) each.resolve();
      if ((await Promise.race([closed.then(() => 'closed'), turn('open')])) === 'closed') break;
    }
    db.close();
  };
  return { settings, writer, syncs, told, write, settle, [Symbol.asyncDispose]: close };
}

const unconfirmed = 'UNAVAILABLE unconfirmed';

test('a write can be read at once, and is answered when it is on disk', async () => {
  await using stand = openStand();
  const first = stand.write('a');
  expect([stand.settings.find('a'), stand.told]).toEqual(['1', ['a can be read']]);
  await stand.settle();
  expect([stand.told.length, stand.syncs.length]).toEqual([1, 1]);
  stand.syncs[0]?.resolve();
  await first;
  expect(stand.told).toEqual(['a can be read', 'a is answered']);
});

test('all writes made while the disk is busy wait for the same next sync', async () => {
  await using stand = openStand();
  const first = stand.write('a');
  await stand.settle();
  const others = Promise.all([stand.write('b'), stand.write('c')]);
  await stand.settle();
  // The running sync may have begun before they were written.
  stand.syncs[0]?.resolve();
  await first;
  await stand.settle();
  expect(stand.told).toEqual(['a can be read', 'b can be read', 'c can be read', 'a is answered']);
  expect(stand.syncs).toHaveLength(2);
  const last = stand.write('d');
  await stand.settle();
  stand.syncs[1]?.resolve();
  await others;
  await stand.settle();
  expect(stand.told.slice(4)).toEqual(['d can be read', 'b is answered', 'c is answered']);
  expect(stand.syncs).toHaveLength(3);
  stand.syncs[2]?.resolve();
  await last;
  expect(stand.told.slice(7)).toEqual(['d is answered']);
});

test('a disk that has not answered for a second is reported, and gets no more writes until it has', async () => {
  await using stand = openStand();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  const early = stand.write('a');
  await stand.settle();
  vi.advanceTimersByTime(1_000);
  const late = stand.write('b');
  for (let step = 0; step < 25; step += 1) {
    vi.advanceTimersByTime(50);
    await stand.settle();
  }
  await late;
  expect(stand.told).toEqual(['a can be read', 'b: UNAVAILABLE disk-silent']);
  expect([stand.settings.find('b'), stand.writer.problem]).toEqual([undefined, { fault: { code: 'disk-silent' } }]);
  stand.syncs[0]?.resolve();
  await early;
  expect(stand.told.at(-1)).toBe('a is answered');
  vi.advanceTimersByTime(250);
  expect(stand.writer.problem).toBeUndefined();
});

test('a written request fails only if the disk does not answer for 5 s, and says that it was done', async () => {
  await using stand = openStand();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  const request = stand.write('a');
  await stand.settle();
  vi.advanceTimersByTime(4_999);
  await stand.settle();
  expect(stand.told).toEqual(['a can be read']);
  vi.advanceTimersByTime(1);
  await request;
  expect(stand.told.at(-1)).toBe(`a: ${unconfirmed}`);
});

test('a failed sync rejects the requests waiting for it, and a new write recovers', async () => {
  // A request is refused after 0.9 s.
  vi.useFakeTimers({ toFake: ['performance'] });
  await using stand = openStand();
  const request = stand.write('a');
  await stand.settle();
  stand.syncs[0]?.reject(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
  await request;
  expect(stand.told).toEqual(['a can be read', `a: ${unconfirmed}`]);
  const refused = stand.write('b');
  // A different value is a write of its own, and is synced.
  await soon(() => expect(stand.syncs.length).toBeGreaterThan(1));
  expect(stand.settings.find('b')).toBeUndefined();
  stand.syncs[1]?.resolve();
  await soon(() => expect(stand.settings.find('b')).toBe('1'));
  for (const each of stand.syncs) each.resolve();
  await soon(() => expect(stand.syncs.length).toBeGreaterThan(2));
  for (const each of stand.syncs) each.resolve();
  await refused;
  expect(stand.told.slice(2)).toEqual(['b can be read', 'b is answered']);
});

test('a disk that fails is reported until it works again, though nothing more is written', async () => {
  await using stand = openStand();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  const request = stand.write('a');
  const answerFor = async (ms: number, answer: (sync: PromiseWithResolvers<void>) => void) => {
    for (let atMs = 0; atMs < ms; atMs += 50) {
      for (const each of stand.syncs) answer(each);
      await stand.settle();
      vi.advanceTimersByTime(50);
    }
  };
  const failure = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
  await answerFor(1_500, ({ reject }) => reject(failure));
  await request;
  expect(stand.writer.problem).toEqual({ fault: { code: 'disk-failed' } });
  await answerFor(1_000, ({ resolve }) => resolve());
  expect(stand.writer.problem).toBeUndefined();
});

test.runIf(process.platform === 'linux')('the synced file is the log that commits go to', async () => {
  const { db, file } = openDatabase(folder.path, log);
  const other = await open(join(folder.path, 'other'), 'w');
  const synced: string[] = [];
  vi.spyOn(Object.getPrototypeOf(other) as FileHandle, 'datasync').mockImplementation(async function (this: FileHandle) {
    synced.push(readlinkSync(`/proc/self/fd/${this.fd}`));
  });
  const wal = await openWriteAheadLog(file);
  await wal.sync();
  await Promise.all([wal.close(), other.close()]);
  db.close();
  expect(synced).toEqual([`${file}-wal`]);
});
