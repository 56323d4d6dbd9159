import { expect, test } from 'vitest';
import { openStoreStand } from '../../../test/support/store-stand.ts';
import { openSettingTable } from './setting-table.ts';
import { findStoreProblem } from './store-health.ts';

test('a store that cannot be written is told in a sentence, until it can', async () => {
  using stand = await openStoreStand();
  const settings = openSettingTable(stand.db);
  expect(findStoreProblem(settings)).toBeUndefined();
  stand.db.exec('PRAGMA query_only = ON');
  expect(findStoreProblem(settings)).toBe('The store cannot be written: attempt to write a readonly database.');
  stand.db.exec('PRAGMA query_only = OFF');
  expect(findStoreProblem(settings)).toBeUndefined();
});
