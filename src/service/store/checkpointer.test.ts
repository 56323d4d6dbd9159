import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import threads from 'node:worker_threads';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { lockStore } from '../../../test/support/rival-program.ts';
import { soon } from '../../../test/support/soon.ts';
import { createTestLog, makeTestFolder } from '../../../test/support/store-stand.ts';
import { onFault } from '../lib/faults.ts';
import { openCheckpointer } from './checkpointer.ts';
import { createCheckpoints } from './checkpoints.ts';
import { openDatabase } from './database.ts';
import { openSettingTable } from './setting-table.ts';
import { inTransaction } from './transaction.ts';

const { log, lines } = createTestLog();
let folder: ReturnType<typeof makeTestFolder>;
beforeEach(() => {
  folder = makeTestFolder();
  lines.length = 0;
});
afterEach(() => folder[Symbol.dispose]());

function openStand() {
  const { db, file } = openDatabase(folder.path, log);
  const settings = openSettingTable(db);
  let count = 0;
  /** One more each time that the log is restarted, from a random number on (sqlite.org/fileformat2.html §4.1, salt-1). */
  const readSalt = () => readFileSync(`${file}-wal`).readUInt32BE(16);
  let firstSalt: number | undefined;
  const write = () => {
    count += 1;
    inTransaction(db, () => settings.set('a', String(count).repeat(1_000)));
    firstSalt ??= readSalt();
  };
  /** How often the log was restarted since the first {@link write}: for each, a writer waits for the disk. */
  const begun = () => (readSalt() - (firstSalt ?? 0)) >>> 0;
  const walBytes = () => statSync(`${file}-wal`).size;
  return { db, file, settings, write, begun, walBytes, [Symbol.dispose]: () => db.isOpen && db.close() };
}

test.each([
  ['checkpoints', false],
  ['erases', true],
])('the thread that %s restarts the log, the writing connection never does', (_what, erases) => {
  using stand = openStand();
  const { write, begun } = stand;
  write();
  const byWriter: number[] = [];
  const commit = () => {
    const before = begun();
    write();
    byWriter.push(begun() - before);
  };
  const checkpointer = openCheckpointer(stand.file, (isPaused) => {
    // The writer commits until it is asked to pause.
    if (isPaused) commit();
  });
  const seen: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    checkpointer.checkpoint({ erases });
    seen.push(begun());
    for (let count = 0; count < 3; count += 1) commit();
  }
  expect(seen).toEqual([1, 2, 3, 4, 5]);
  expect(byWriter).toEqual(Array(20).fill(0));
  checkpointer.close();
});

test('however much is written, the log does not grow and nothing is lost', () => {
  using stand = openStand();
  const checkpointer = openCheckpointer(stand.file, () => {});
  const sizes: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (let count = 0; count < 50; count += 1) stand.write();
    checkpointer.checkpoint({ erases: false });
    sizes.push(stand.walBytes());
  }
  expect(sizes.at(-1)).toBe(sizes[1]);
  checkpointer.close();
  stand.db.close();
  using reopened = openStand();
  expect(reopened.settings.find('a')).toBe('250'.repeat(1_000));
});

test('a checkpoint that erases leaves nothing deleted in any file', () => {
  using stand = openStand();
  const checkpointer = openCheckpointer(stand.file, () => {});
  const filesWith = (text: string) =>
    readdirSync(folder.path).filter((name) => readFileSync(join(folder.path, name)).includes(text));
  for (let count = 0; count < 20; count += 1) stand.settings.set(`private ${count}`, `title ${count};`);
  checkpointer.checkpoint({ erases: false });
  expect(filesWith('title 7;')).toEqual(['tallylight.db', 'tallylight.db-wal']);
  stand.settings.setAll({ 'private 7': undefined });
  stand.settings.set('private 8', 'another');
  checkpointer.checkpoint({ erases: true });
  expect([filesWith('title 7;'), filesWith('title 8;')]).toEqual([[], []]);
  checkpointer.close();
});

// Windows can't stop a process.
test.skipIf(process.platform === 'win32')(
  'while another program checkpoints, a checkpoint says that it left the log as it is',
  async () => {
    using stand = openStand();
    stand.write();
    const checkpointer = openCheckpointer(stand.file, () => {});
    stand.db.exec('BEGIN IMMEDIATE');
    stand.settings.set('private', 'a title;');
    // It waits for our transaction, and is stopped meanwhile.
    const checkpoint = `const { DatabaseSync } = require('node:sqlite');
      new DatabaseSync(process.argv[1], { timeout: 60_000 }).exec('PRAGMA wal_checkpoint(FULL)');`;
    const rival = spawn(process.execPath, ['--eval', checkpoint, stand.file], { stdio: 'inherit' });
    onTestFinished(() => {
      rival.kill('SIGKILL');
    });
    const ended = once(rival, 'exit');
    const other = new DatabaseSync(stand.file);
    const look = other.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    await soon(() => expect(look.get()).toMatchObject({ busy: 1 }));
    other.close();
    rival.kill('SIGSTOP');
    stand.db.exec('COMMIT');
    const sizeBytes = stand.walBytes();
    expect([checkpointer.checkpoint({ erases: true }), stand.walBytes()]).toEqual([false, sizeBytes]);
    rival.kill('SIGCONT');
    expect(await ended).toEqual([0, null]);
    expect(checkpointer.checkpoint({ erases: true })).toBe(true);
    checkpointer.close();
  },
);

test.each(['older', 'newest'])(
  'while another program reads the %s snapshot, a checkpoint says that it left the log as it is',
  (which) => {
    using stand = openStand();
    const checkpointer = openCheckpointer(stand.file, () => {});
    const rival = new DatabaseSync(stand.file);
    const read = () => rival.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    stand.settings.set('private', 'a title;');
    if (which === 'older') read();
    stand.settings.setAll({ private: undefined });
    if (which === 'newest') read();
    const results = [checkpointer.checkpoint({ erases: true }), checkpointer.checkpoint({ erases: true })];
    const sizeBytes = stand.walBytes();
    results.push(checkpointer.checkpoint({ erases: true }));
    expect([results, stand.walBytes()]).toEqual([[false, false, false], sizeBytes]);
    rival.close();
    expect([checkpointer.checkpoint({ erases: true }), readFileSync(`${stand.file}-wal`).includes('a title;')]).toEqual([
      true,
      false,
    ]);
    checkpointer.close();
  },
);

test('if the writer ignores the pause, the log continues and nothing is lost', () => {
  using stand = openStand();
  stand.write();
  const checkpointer = openCheckpointer(stand.file, () => stand.write());
  for (let round = 0; round < 3; round += 1) checkpointer.checkpoint({ erases: false });
  checkpointer.close();
  expect(stand.db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
});

test('while another program writes, a checkpoint fails but the writer continues', () => {
  using stand = openStand();
  stand.write();
  const pauses: boolean[] = [];
  const checkpointer = openCheckpointer(stand.file, (isPaused) => pauses.push(isPaused));
  const rival = new DatabaseSync(stand.file);
  rival.exec('BEGIN IMMEDIATE');
  expect(() => checkpointer.checkpoint({ erases: false })).toThrow('database is locked');
  expect(pauses).toEqual([true, false]);
  rival.close();
  checkpointer.checkpoint({ erases: false });
  expect(stand.begun()).toBe(1);
  checkpointer.close();
});

test('a thread runs checkpoints after every so many commits, reports them, and runs the last one at close', async () => {
  using stand = openStand();
  const checkpoints = createCheckpoints(stand.file, log, { everyCommits: 3 });
  let done = 0;
  checkpoints.onDone(() => {
    done += 1;
  });
  for (let count = 0; count < 3; count += 1) {
    stand.write();
    checkpoints.noteCommit();
  }
  await soon(() => expect(done).toBe(1));
  expect([stand.begun(), checkpoints.isPausing, lines]).toEqual([1, false, []]);
  stand.write();
  stand.db.close();
  await checkpoints.close();
  // The last connection to close moves the rest and deletes the log.
  expect(statSync(`${stand.file}-wal`, { throwIfNoEntry: false })).toBeUndefined();
  using reopened = openStand();
  expect(reopened.settings.find('a')).toBe('4'.repeat(1_000));
});

test('the thread runs a checkpoint some time after the last commit, so that a copy of the store alone is whole', async () => {
  using stand = openStand();
  const checkpoints = createCheckpoints(stand.file, log, { calmMs: 50 });
  let done = 0;
  checkpoints.onDone(() => {
    done += 1;
  });
  const copied = () => {
    using copies = makeTestFolder();
    copyFileSync(stand.file, `${copies.path}/tallylight.db`);
    const { db } = openDatabase(copies.path, log);
    const found = openSettingTable(db).find('a');
    db.close();
    return found;
  };
  for (const round of [1, 2]) {
    stand.write();
    checkpoints.noteCommit();
    await soon(() => expect(done).toBe(round));
    expect(copied()).toBe(String(round).repeat(1_000));
  }
  stand.db.close();
  await checkpoints.close();
});

test.each<[when: string, options: { everyCommits?: number; calmMs?: number; eraseAfterMs?: number }, isErased: boolean]>([
  ['after a calm moment', { calmMs: 50 }, true],
  ['after a calm moment, though nothing is left to move', { everyCommits: 1, calmMs: 50 }, true],
  ['the first time after so many commits', { everyCommits: 3 }, true],
  ['after so many commits, once it is due', { everyCommits: 1, eraseAfterMs: 0 }, true],
  ['after so many commits, while it is not due', { everyCommits: 1 }, false],
])('the thread erases what was deleted from the log %s', async (_when, options, isErased) => {
  using stand = openStand();
  const checkpoints = createCheckpoints(stand.file, log, options);
  let done = 0;
  checkpoints.onDone(() => {
    done += 1;
  });
  const commit = (change: () => void) => {
    change();
    checkpoints.noteCommit();
  };
  if (options.everyCommits === 1) {
    // The first one always erases.
    commit(stand.write);
    await soon(() => expect(done).toBe(1));
    done = 0;
  }
  inTransaction(stand.db, () => {
    // Pages that the first commit of the next log doesn't overwrite.
    for (let count = 0; count < 20; count += 1) stand.settings.set(`private ${count}`, 'x'.repeat(1_000));
    stand.settings.set('private', 'a deleted title');
  });
  stand.settings.setAll({ private: undefined });
  for (let count = 0; count < (options.everyCommits ?? 1); count += 1) commit(stand.write);
  await soon(() => expect(done).toBeGreaterThan(0));
  await soon(() => expect(readFileSync(`${stand.file}-wal`).includes('a deleted title')).toBe(!isErased));
  stand.db.close();
  await checkpoints.close();
});

test.each([
  ['reads', 'BEGIN; SELECT count(*) FROM sqlite_schema'],
  ['writes', 'BEGIN IMMEDIATE'],
])('what is deleted while another program %s is erased once that is over, without another commit', async (_what, work) => {
  using stand = openStand();
  const checkpoints = createCheckpoints(stand.file, log, { calmMs: 50 });
  let done = 0;
  checkpoints.onDone(() => {
    done += 1;
  });
  inTransaction(stand.db, () => {
    for (let count = 0; count < 20; count += 1) stand.settings.set(`private ${count}`, 'x'.repeat(1_000));
    stand.settings.set('private', 'a deleted title');
  });
  stand.settings.setAll({ private: undefined });
  const rival = new DatabaseSync(stand.file);
  rival.exec(work);
  checkpoints.noteCommit();
  await soon(() => expect(done).toBeGreaterThan(0));
  expect(readFileSync(`${stand.file}-wal`).includes('a deleted title')).toBe(true);
  rival.close();
  await soon(() => expect(readFileSync(`${stand.file}-wal`).includes('a deleted title')).toBe(false));
  stand.db.close();
  await checkpoints.close();
});

test('while the thread waits for another program, the event loop runs and must not write', async () => {
  using stand = openStand();
  stand.write();
  const checkpoints = createCheckpoints(stand.file, log, { everyCommits: 1 });
  let done = 0;
  checkpoints.onDone(() => {
    done += 1;
  });
  const rival = lockStore(folder.path);
  checkpoints.noteCommit();
  expect(done).toBe(0);
  await soon(() => expect(checkpoints.isPausing).toBe(true));
  rival.release();
  await soon(() => expect([done, checkpoints.isPausing]).toEqual([1, false]));
  stand.db.close();
  await checkpoints.close();
});

test('a failing thread is logged once and affects nothing else', async () => {
  using stand = openStand();
  stand.db.close();
  const checkpoints = createCheckpoints(folder.path, log, { everyCommits: 1 });
  let done = 0;
  checkpoints.onDone(() => {
    done += 1;
  });
  checkpoints.noteCommit();
  await soon(() => expect(done).toBe(1));
  checkpoints.noteCommit();
  await soon(() => expect(done).toBe(2));
  expect(lines).toEqual([
    expect.objectContaining({ msg: "The store's write-ahead log could not be checkpointed, and grows until that works." }),
  ]);
  await checkpoints.close();
});

test('a thread that cannot be started is started by the next checkpoint', async () => {
  using stand = openStand();
  const faults: unknown[] = [];
  onTestFinished(onFault(({ error, during }) => faults.push([during, (error as Error).message])));
  const starting = vi.spyOn(threads, 'Worker').mockImplementationOnce(
    class {
      constructor() {
        throw new Error('no thread left');
      }
    } as never,
  );
  syncBuiltinESMExports();
  onTestFinished(() => {
    starting.mockRestore();
    syncBuiltinESMExports();
  });
  const checkpoints = createCheckpoints(stand.file, log, { everyCommits: 1 });
  let done = 0;
  checkpoints.onDone(() => {
    done += 1;
  });
  stand.write();
  checkpoints.noteCommit();
  expect(faults).toEqual([['starting a checkpoint of the store', 'no thread left']]);
  checkpoints.noteCommit();
  await soon(() => expect(done).toBe(1));
  expect([stand.begun(), starting.mock.calls.length, faults.length]).toEqual([1, 2, 1]);
  stand.db.close();
  await checkpoints.close();
});
