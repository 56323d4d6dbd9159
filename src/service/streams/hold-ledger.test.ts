import { expect, test } from 'vitest';
import { makeTestFolder, openStoreStand } from '../../../test/support/store-stand.ts';
import { openHoldTable } from '../store/hold-table.ts';
import { openHoldLedger } from './hold-ledger.ts';

const hold = { since: 1, lastTriedAt: 2, longestPauseMs: 3, software: 'OBS Studio 29.0.2', isForeign: false };

test('holds survive a restart, except ended ones and those of deleted streams', async () => {
  using folder = makeTestFolder();
  const held = await (async () => {
    using stand = await openStoreStand({ folder: folder.path });
    const ledger = openHoldLedger(openHoldTable(stand.db), stand.writer);
    const [one, ended, deleted] = await Promise.all(
      ['One', 'Ended', 'Deleted'].map(async (name) => (await stand.streams.create({ name })).id),
    );
    for (const id of [one, ended, deleted] as string[]) ledger.save(id, hold);
    ledger.save(ended as string, undefined);
    await stand.streams.delete(deleted as string);
    return one as string;
  })();
  using again = await openStoreStand({ folder: folder.path });
  const ledger = openHoldLedger(openHoldTable(again.db), again.writer);
  expect(ledger.streamIds()).toEqual([held]);
  expect(ledger.find(held)).toEqual(hold);
});
