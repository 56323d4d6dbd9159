import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockStore } from '../../../test/support/rival-program.ts';
import { soon } from '../../../test/support/soon.ts';
import { createTestLog, makeTestFolder } from '../../../test/support/store-stand.ts';
import { openDatabase, openDatabaseSoon } from './database.ts';
import { openSettingTable } from './setting-table.ts';
import { createStoreProbe } from './store-health.ts';
import { openStoreWriter, type WaitingChanges } from './store-writer.ts';

const { log, lines } = createTestLog();
let folder: ReturnType<typeof makeTestFolder>;
beforeEach(() => {
  folder = makeTestFolder();
  lines.length = 0;
});
afterEach(() => folder[Symbol.dispose]());

/** A writer, and settings whose changes wait. */
function openStand() {
  const { db, check } = openDatabase(folder.path, log);
  const settings = openSettingTable(db);
  const writer = openStoreWriter({ db, check, probe: createStoreProbe(settings), log });
  const waiting = new Map<string, string>();
  const changes: WaitingChanges = {
    get count() {
      return waiting.size;
    },
    write() {
      for (const [name, value] of waiting) settings.set(name, value);
    },
    written: () => waiting.clear(),
    describe: () => [...waiting.keys()],
  };
  writer.add(changes);
  const problems: (string | undefined)[] = [];
  writer.onProblem(() => problems.push(writer.problem));
  const close = async () => {
    await writer.close();
    db.close();
  };
  return { db, settings, writer, waiting, problems, [Symbol.asyncDispose]: close };
}

const lockedSentence = 'The store is locked by another program: close that program, or wait until it is done.';

test('what waits is told after a second of refusals, and written by itself when another program releases the store', async () => {
  await using stand = openStand();
  const rival = lockStore(folder.path);
  stand.waiting.set('a', '1').set('b', '2');
  expect(stand.writer.flush()).toBe(false);
  expect(stand.writer.problem).toBeUndefined();
  await soon(() => expect(stand.problems).toEqual([`${lockedSentence} 2 changes wait in memory.`]));
  stand.waiting.delete('b');
  await soon(() => expect(stand.problems.at(-1)).toBe(`${lockedSentence} 1 change waits in memory.`));
  rival.release();
  await soon(() => expect(stand.problems.at(-1)).toBeUndefined());
  expect([stand.settings.find('a'), stand.waiting.size, stand.writer.problem]).toEqual(['1', 0, undefined]);
  // Once each, however often it was tried.
  expect(lines.map(({ msg }) => msg)).toEqual([
    'The store cannot be written: changes wait in memory.',
    'The store can be written again, and what waited is on disk.',
  ]);
});

test('requests are written in order, after what waited before them, as soon as the store is released', async () => {
  await using stand = openStand();
  const rival = lockStore(folder.path);
  stand.waiting.set('order', 'waiting');
  const append = (text: string) => () => {
    stand.settings.set('order', `${stand.settings.find('order')} ${text}`);
    return text;
  };
  const answers = ['first', 'second', 'third'].map((text) => stand.writer.write(append(text)));
  const failing = stand.writer.write(() => {
    stand.settings.set('order', 'never');
    throw new Error('refused by its own check');
  });
  const refused = expect(failing).rejects.toThrow('refused by its own check');
  rival.release();
  expect(await Promise.all(answers)).toEqual(['first', 'second', 'third']);
  await refused;
  expect(stand.settings.find('order')).toBe('waiting first second third');
});

test('a request waits for about a second, while the event loop turns, and one that comes later has its own second', async () => {
  await using stand = openStand();
  using _rival = lockStore(folder.path);
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  }, 5);
  const settled: string[] = [];
  const ask = (name: string) =>
    stand.writer.write(() => {}).catch((error) => settled.push(`${name}: ${error.code} ${error.message}`));
  const early = ask('early');
  await sleep(300);
  const late = ask('late');
  await early;
  expect(settled).toEqual([`early: UNAVAILABLE ${lockedSentence}`]);
  await late;
  clearInterval(turning);
  expect(settled).toEqual(['early', 'late'].map((name) => `${name}: UNAVAILABLE ${lockedSentence}`));
  // A busy wait of SQLite's would let it turn twice or so.
  expect(turns).toBeGreaterThan(20);
});

test('a full disk refuses what grows the store; what waits is written when there is room', async () => {
  await using stand = openStand();
  const { page_count: pages } = stand.db.prepare('PRAGMA page_count').get() as { page_count: number };
  stand.db.exec(`PRAGMA max_page_count = ${pages}`);
  stand.waiting.set('a', 'x'.repeat(100_000));
  expect(stand.writer.flush()).toBe(false);
  await expect(stand.writer.write(() => stand.settings.set('b', '1'))).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'The store cannot be written: the disk is full.',
  });
  expect(stand.settings.find('b')).toBeUndefined();
  stand.db.exec('PRAGMA max_page_count = 1000000');
  await soon(() => expect(stand.settings.find('a')).toHaveLength(100_000));
});

test.each(['deleted', 'moved away'])(
  'a store whose folder is %s is told, takes nothing, and works on when it is back',
  async (how) => {
    const elsewhere = `${folder.path}-moved`;
    await using stand = openStand();
    if (how === 'deleted') rmSync(folder.path, { recursive: true });
    else renameSync(folder.path, elsewhere);
    stand.waiting.set('a', '1');
    expect(stand.writer.flush()).toBe(false);
    const sentence = `The store ${join(folder.path, 'tallylight.db')} is gone from its folder: put it back, or restart Tallylight.`;
    await soon(() => expect(stand.writer.problem).toBe(`${sentence} 1 change waits in memory.`));
    if (how === 'deleted') return;
    renameSync(elsewhere, folder.path);
    await soon(() => expect(stand.writer.problem).toBeUndefined());
    expect(stand.settings.find('a')).toBe('1');
  },
);

test('a change that can never be stored is dropped and logged, and those behind it are written', async () => {
  await using stand = openStand();
  let broken = 1;
  stand.writer.add({
    get count() {
      return broken;
    },
    write: () => stand.db.exec('INSERT INTO nothing VALUES (1)'),
    written: () => {
      broken = 0;
    },
    describe: () => 'the broken one',
  });
  stand.waiting.set('a', '1');
  expect(stand.writer.flush()).toBe(true);
  expect(stand.settings.find('a')).toBe('1');
  expect(lines).toEqual([expect.objectContaining({ dropped: 'the broken one' })]);
});

test('a close with a store that refuses ends within seconds, and says once what is lost', async () => {
  const stand = openStand();
  using _rival = lockStore(folder.path);
  stand.waiting.set('a', '1');
  const request = expect(stand.writer.write(() => {})).rejects.toMatchObject({ message: 'Tallylight is closing.' });
  await stand[Symbol.asyncDispose]();
  await request;
  await stand.writer.close();
  expect(lines).toEqual([
    expect.objectContaining({ msg: 'The store cannot be written: changes wait in memory.' }),
    expect.objectContaining({ lost: [['a']], msg: `1 change is lost. ${lockedSentence}` }),
  ]);
});

test('a start waits for another program that holds the store for itself alone, and says so when that lasts', async () => {
  openDatabase(folder.path, log).db.close();
  const rival = new DatabaseSync(join(folder.path, 'tallylight.db'));
  rival.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; PRAGMA user_version = 4; COMMIT');
  await expect(openDatabaseSoon(folder.path, log, 100)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: `The store ${join(folder.path, 'tallylight.db')} cannot be opened. ${lockedSentence}`,
  });
  const opening = openDatabaseSoon(folder.path, log);
  rival.close();
  (await opening).db.close();
});
