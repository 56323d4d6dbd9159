import { renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { noCheckpoints } from '../../../test/support/no-checkpoints.ts';
import { lockStore } from '../../../test/support/rival-program.ts';
import { soon } from '../../../test/support/soon.ts';
import { createTestLog, makeTestFolder } from '../../../test/support/store-stand.ts';
import type { StoreProblem } from '../../shared/model/store-fault.ts';
import { createEventSource } from '../lib/event-source.ts';
import { openDatabase } from './database.ts';
import { openSettingTable } from './setting-table.ts';
import { createStoreProbe } from './store-health.ts';
import { openStoreWriter } from './store-writer.ts';
import type { WaitingChanges } from './waiting-changes.ts';

/** A writer in a folder of its own, and settings with waiting changes. */
function openStand({
  sync = async () => {},
  checkpoints = noCheckpoints,
}: Partial<Pick<Parameters<typeof openStoreWriter>[0], 'sync' | 'checkpoints'>> = {}) {
  const folder = makeTestFolder();
  const { log, lines } = createTestLog();
  const { db, check } = openDatabase(folder.path, log);
  const settings = openSettingTable(db);
  const writer = openStoreWriter({ db, sync, checkpoints, check, probe: createStoreProbe(settings), log });
  const waiting = new Map<string, string>();
  const changes: WaitingChanges = {
    get count() {
      return waiting.size;
    },
    write(row) {
      for (const [name, value] of waiting) row(name, () => settings.set(name, value));
    },
    written: () => waiting.clear(),
    describe: () => [...waiting.keys()],
  };
  writer.add(changes);
  const problems: (StoreProblem | undefined)[] = [];
  writer.onProblem(() => problems.push(writer.problem));
  const close = async () => {
    await writer.close();
    db.close();
    folder[Symbol.dispose]();
  };
  return { folder: folder.path, lines, db, settings, writer, waiting, problems, [Symbol.asyncDispose]: close };
}

const locked = { code: 'locked' } as const;

test.concurrent('waiting changes are reported after a second of refusals, and written once another program releases the store', async () => {
  await using stand = openStand();
  const rival = lockStore(stand.folder);
  stand.waiting.set('a', '1').set('b', '2');
  expect(stand.writer.flush()).toBe(false);
  expect(stand.writer.problem).toBeUndefined();
  await soon(() => expect(stand.problems).toEqual([{ fault: locked, waiting: 2 }]));
  stand.waiting.delete('b');
  await soon(() => expect(stand.problems.at(-1)).toEqual({ fault: locked, waiting: 1 }));
  rival.release();
  await soon(() => expect(stand.problems.at(-1)).toBeUndefined());
  expect([stand.settings.find('a'), stand.waiting.size, stand.writer.problem]).toEqual(['1', 0, undefined]);
  // Each is logged once, however many attempts there were.
  expect(stand.lines.map(({ msg }) => msg)).toEqual([
    'The store cannot be written. Changes are kept in memory.',
    'The store can be written again. All waiting changes are on disk.',
  ]);
});

test.concurrent('requests are written in order, after earlier changes, as soon as the store is released', async () => {
  await using stand = openStand();
  const rival = lockStore(stand.folder);
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
  // This write could be done at once, but waits its turn.
  answers.push(stand.writer.write(append('fourth')));
  expect(await Promise.all(answers)).toEqual(['first', 'second', 'third', 'fourth']);
  await refused;
  expect(stand.settings.find('order')).toBe('waiting first second third fourth');
});

test.concurrent('nothing is written while a checkpoint restarts the log, and everything waiting is written as soon as it is done', async () => {
  const done = createEventSource<void>();
  const checkpoints = { isPausing: false, commits: 0, noteCommit: () => (checkpoints.commits += 1), onDone: done.on };
  await using stand = openStand({ checkpoints });
  await stand.writer.write(() => stand.settings.set('a', '1'));
  expect(checkpoints.commits).toBe(1);
  checkpoints.isPausing = true;
  stand.waiting.set('b', '2');
  expect(stand.writer.flush()).toBe(false);
  const request = stand.writer.write(() => stand.settings.set('c', '3'));
  expect(['b', 'c'].map((name) => stand.settings.find(name))).toEqual([undefined, undefined]);
  checkpoints.isPausing = false;
  done.emit();
  expect(['b', 'c'].map((name) => stand.settings.find(name))).toEqual(['2', '3']);
  await request;
  expect(checkpoints.commits).toBe(3);
});

test.concurrent('a full disk refuses writes that grow the store; they are written once there is room', async () => {
  await using stand = openStand();
  const { page_count: pages } = stand.db.prepare('PRAGMA page_count').get() as { page_count: number };
  stand.db.exec(`PRAGMA max_page_count = ${pages}`);
  stand.waiting.set('a', 'x'.repeat(100_000));
  expect(stand.writer.flush()).toBe(false);
  await expect(stand.writer.write(() => stand.settings.set('b', '1'))).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    details: { storeProblem: { fault: { code: 'disk-full' } } },
  });
  expect(stand.settings.find('b')).toBeUndefined();
  stand.db.exec('PRAGMA max_page_count = 1000000');
  await soon(() => expect(stand.settings.find('a')).toHaveLength(100_000));
});

// Windows neither deletes nor renames a folder whose files are open.
test.skipIf(process.platform === 'win32').concurrent.each(['deleted', 'moved away'])(
  'a store whose folder is %s is reported, accepts nothing, and recovers when it is back',
  async (how) => {
    await using stand = openStand();
    const elsewhere = `${stand.folder}-moved`;
    if (how === 'deleted') rmSync(stand.folder, { recursive: true });
    else renameSync(stand.folder, elsewhere);
    stand.waiting.set('a', '1');
    expect(stand.writer.flush()).toBe(false);
    const path = join(stand.folder, 'tallylight.db');
    await soon(() => expect(stand.writer.problem).toEqual({ fault: { code: 'missing' }, path, waiting: 1 }));
    if (how === 'deleted') return;
    renameSync(elsewhere, stand.folder);
    await soon(() => expect(stand.writer.problem).toBeUndefined());
    expect(stand.settings.find('a')).toBe('1');
  },
);

test
  .skipIf(process.platform === 'win32')
  .concurrent('an unreachable store is reported, accepts nothing, and recovers when it is reachable', async () => {
    await using stand = openStand();
    const elsewhere = `${stand.folder}-moved`;
    renameSync(stand.folder, elsewhere);
    // A symlink loop fails with its own error, as a folder without permissions or an unreachable network does.
    symlinkSync(stand.folder, stand.folder);
    stand.waiting.set('a', '1');
    const problem = { fault: { code: 'out-of-reach', reason: 'ELOOP' }, path: join(stand.folder, 'tallylight.db') };
    await expect(stand.writer.write(() => {})).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      details: { storeProblem: problem },
    });
    await soon(() => expect(stand.writer.problem).toEqual({ ...problem, waiting: 1 }));
    unlinkSync(stand.folder);
    renameSync(elsewhere, stand.folder);
    await soon(() => expect(stand.writer.problem).toBeUndefined());
    expect(stand.settings.find('a')).toBe('1');
    expect(stand.lines.map(({ msg }) => msg)).toEqual([
      'The store cannot be written. Changes are kept in memory.',
      'The store can be written again. All waiting changes are on disk.',
    ]);
  });

/** Waiting rows; an undefined one can never be stored. */
function addRows(stand: ReturnType<typeof openStand>, rows: Map<string, string | undefined>) {
  stand.writer.add({
    get count() {
      return rows.size;
    },
    write(row) {
      for (const [name, value] of rows) {
        row(name, () =>
          value === undefined ? stand.db.exec('INSERT INTO nothing VALUES (1)') : stand.settings.set(name, value),
        );
      }
    },
    written: () => rows.clear(),
    describe: () => [...rows.keys()],
  });
}

test.concurrent('a row that can never be stored is dropped and logged, and the others are written', async () => {
  await using stand = openStand();
  addRows(
    stand,
    new Map([
      ['before', '1'],
      ['broken', undefined],
      ['after', '2'],
    ]),
  );
  stand.waiting.set('a', '3');
  expect(stand.writer.flush()).toBe(true);
  expect(['before', 'broken', 'after', 'a'].map((name) => stand.settings.find(name))).toEqual(['1', undefined, '2', '3']);
  expect(stand.lines).toEqual([expect.objectContaining({ dropped: 'broken' })]);
});

test.concurrent('nothing is dropped when memory is short', async () => {
  await using stand = openStand();
  const rows = new Map<string, string | undefined>([['a', '1']]);
  let isShort = true;
  stand.writer.add({
    get count() {
      return rows.size;
    },
    write(row) {
      row('a', () => {
        // SQLITE_NOMEM.
        if (isShort) throw Object.assign(new Error('out of memory'), { code: 'ERR_SQLITE_ERROR', errcode: 7 });
        stand.settings.set('a', '1');
      });
    },
    written: () => rows.clear(),
    describe: () => [...rows.keys()],
  });
  await expect(stand.writer.write(() => {})).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    details: { storeProblem: { fault: { code: 'no-memory' } } },
  });
  isShort = false;
  await soon(() => expect(stand.settings.find('a')).toBe('1'));
});

test.concurrent('changes that cannot even be listed are dropped and logged, and later ones are written', async () => {
  await using stand = openStand();
  let broken = 1;
  stand.writer.add({
    get count() {
      return broken;
    },
    write: () => {
      throw new Error('a bug');
    },
    written: () => {
      broken = 0;
    },
    describe: () => 'the broken ones',
  });
  stand.waiting.set('a', '1');
  expect(stand.writer.flush()).toBe(true);
  expect(stand.settings.find('a')).toBe('1');
  expect(stand.lines).toEqual([expect.objectContaining({ dropped: 'the broken ones' })]);
});

test.concurrent('closing while the store refuses takes only seconds, and logs the lost changes once', async () => {
  await using stand = openStand();
  using _rival = lockStore(stand.folder);
  stand.waiting.set('a', '1');
  expect(stand.writer.flush()).toBe(false);
  await soon(() => expect(stand.writer.problem).toBeDefined());
  const request = expect(stand.writer.write(() => {})).rejects.toMatchObject({ fault: { code: 'closing' } });
  await stand.writer.close();
  await request;
  await stand.writer.close();
  expect(stand.lines).toEqual([
    expect.objectContaining({ msg: 'The store cannot be written. Changes are kept in memory.' }),
    expect.objectContaining({ lost: [['a']], fault: locked, msg: '1 change is lost.' }),
  ]);
});

test.concurrent('closing writes the changes that wait for a disk that fails to sync', async () => {
  await using stand = openStand({ sync: () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })) });
  await expect(stand.writer.write(() => {})).rejects.toMatchObject({ fault: { code: 'unconfirmed' } });
  stand.waiting.set('a', '1');
  expect(stand.writer.flush()).toBe(false);
  await stand.writer.close();
  expect(stand.settings.find('a')).toBe('1');
  expect(stand.lines.at(-1)).toMatchObject({ msg: 'The disk did not confirm the last changes to the store.' });
});

test.concurrent('nothing is tried again if a disk fails only after the store was closed', async () => {
  const answer = Promise.withResolvers<void>();
  let attempts = 0;
  const checkpoints = {
    ...noCheckpoints,
    get isPausing() {
      attempts += 1;
      return false;
    },
  };
  const stand = openStand({ sync: () => answer.promise, checkpoints });
  stand.waiting.set('a', '1');
  await stand[Symbol.asyncDispose]();
  expect(stand.lines).toEqual([expect.objectContaining({ msg: 'The disk did not confirm the last changes to the store.' })]);
  answer.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
  await sleep(200);
  expect(attempts).toBe(1);
});

test.concurrent('a request waits for about a second, and a later one has its own second', async () => {
  await using stand = openStand();
  using _rival = lockStore(stand.folder);
  const ask = async () => {
    const since = performance.now();
    const error = await stand.writer.write(() => {}).catch((fault) => fault);
    return { code: error.code, fault: error.fault, waitedMs: performance.now() - since };
  };
  const early = ask();
  await sleep(300);
  const answers = await Promise.all([early, ask()]);
  expect(answers.map(({ code, fault }) => ({ code, fault }))).toEqual(Array(2).fill({ code: 'UNAVAILABLE', fault: locked }));
  for (const { waitedMs } of answers) expect(waitedMs).toBeGreaterThanOrEqual(900);
});
