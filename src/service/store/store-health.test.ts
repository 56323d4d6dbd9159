import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStoreStand } from '../../../test/support/store-stand.ts';
import { openSettingTable } from './setting-table.ts';
import { findStoreFault, storeGone, storeOutOfReach } from './store-fault.ts';
import { createStoreHealth, createStoreProbe } from './store-health.ts';

const file = '/home/jane/tallylight.db';

test.each([
  [storeGone(file), { code: 'missing' }],
  [storeOutOfReach(file, Object.assign(new Error(), { code: 'EACCES' })), { code: 'out-of-reach', reason: 'EACCES' }],
] as const)('where the store is stays unsaid, since no key is needed to ask: %s', async (away, fault) => {
  const refuse = { write: () => Promise.reject(findStoreFault(away)) };
  const probe = () => {};
  expect(await createStoreHealth({ ...refuse, problem: undefined }, probe)()).toEqual({ fault });
  const problem = { fault, path: file, waiting: 2 };
  expect(await createStoreHealth({ ...refuse, problem }, probe)()).toEqual({ fault, waiting: 2 });
});

test('an error that is not about the store is thrown, so that its text stays in the log', async () => {
  const bug = new Error(`a bug in ${file}`);
  const writer = { write: () => Promise.reject(bug), problem: undefined };
  await expect(createStoreHealth(writer, () => {})()).rejects.toBe(bug);
});

test('a store that cannot be written is reported until it can', async () => {
  using stand = await openStoreStand();
  const clock = { ms: 0 };
  const findProblem = createStoreHealth(stand.writer, createStoreProbe(openSettingTable(stand.db)), () => clock.ms);
  expect(await findProblem()).toBeUndefined();
  stand.db.exec('PRAGMA query_only = ON');
  clock.ms = 1_000;
  expect(await findProblem()).toEqual({ fault: { code: 'read-only' } });
  stand.db.exec('PRAGMA query_only = OFF');
  expect(await findProblem()).toBeUndefined();
});

test('each probe changes the store, since SQLite skips writes of an equal value, even on a full disk', async () => {
  using stand = await openStoreStand();
  const probe = createStoreProbe(openSettingTable(stand.db));
  let ms = 0;
  const findProblem = createStoreHealth(stand.writer, probe, () => ms);
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
    () => ms,
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
