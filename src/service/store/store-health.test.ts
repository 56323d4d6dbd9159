import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStoreStand } from '../../../test/support/store-stand.ts';
import { openSettingTable } from './setting-table.ts';
import { storeGone, storeOutOfReach } from './store-fault.ts';
import { createStoreHealth, createStoreProbe } from './store-health.ts';

const file = '/home/jane/tallylight.db';

test.each([
  [storeGone(file), 'The store is missing. Put it back, or restart Tallylight.'],
  [
    storeOutOfReach(file, Object.assign(new Error(), { code: 'EACCES' })),
    'The store cannot be reached (EACCES). Check its disk and the permissions of its folder.',
  ],
])('where the store is stays unsaid, since no key is needed to ask: %s', async ({ message }, sentence) => {
  const refuse = { write: () => Promise.reject(new Error(message)) };
  const probe = () => {};
  expect(await createStoreHealth({ ...refuse, problem: undefined }, probe, { file })()).toBe(sentence);
  const problem = `${message} 2 changes wait in memory.`;
  expect(await createStoreHealth({ ...refuse, problem }, probe, { file })()).toBe(`${sentence} 2 changes wait in memory.`);
});

test('a store that cannot be written is reported in a sentence until it can', async () => {
  using stand = await openStoreStand();
  const clock = { ms: 0 };
  const findProblem = createStoreHealth(stand.writer, createStoreProbe(openSettingTable(stand.db)), {
    file,
    nowMs: () => clock.ms,
  });
  expect(await findProblem()).toBeUndefined();
  stand.db.exec('PRAGMA query_only = ON');
  clock.ms = 1_000;
  expect(await findProblem()).toBe('The store is read-only. Give Tallylight write permission for its data folder.');
  stand.db.exec('PRAGMA query_only = OFF');
  expect(await findProblem()).toBeUndefined();
});

test('each probe changes the store, since SQLite skips writes of an equal value, even on a full disk', async () => {
  using stand = await openStoreStand();
  const probe = createStoreProbe(openSettingTable(stand.db));
  let ms = 0;
  const findProblem = createStoreHealth(stand.writer, probe, { file, nowMs: () => ms });
  const stored = () => stand.db.prepare("SELECT value FROM setting WHERE name = 'healthProbe'").get();
  const values: unknown[] = [];
  for (let count = 0; count < 3; count += 1) {
    expect(await findProblem()).toBeUndefined();
    values.push(stored());
    ms += 1_000;
  }
  expect(values).toEqual([{ value: '1' }, { value: '2' }, { value: '3' }]);
});

test('however many callers ask, the store is written once a second', async () => {
  using stand = await openStoreStand();
  let writes = 0;
  let ms = 0;
  const findProblem = createStoreHealth(
    stand.writer,
    () => {
      writes += 1;
    },
    { file, nowMs: () => ms },
  );
  await Promise.all(Array.from({ length: 100 }, findProblem));
  for (ms = 0; ms < 1_000; ms += 10) {
    await findProblem();
    await turn();
  }
  expect(writes).toBe(1);
  await findProblem();
  expect(writes).toBe(2);
});
