import { expect, test } from 'vitest';
import { createTestLog, makeTestFolder, openStoreStand } from '../../../test/support/store-stand.ts';
import type { OneClickChoice } from '../../shared/model/one-click-choice.ts';
import { testSource } from '../../shared/model/source.ts';
import { openChoiceTable } from '../store/choice-table.ts';
import { openChoiceLedger } from './choice-ledger.ts';

const { log } = createTestLog();
const choice: OneClickChoice = { source: testSource, encode: { kind: 'preset', name: '1080p60' } };

test('choices survive a restart, except one that cannot be read, and those that were forgotten or of deleted streams', async () => {
  using folder = makeTestFolder();
  const ids = await (async () => {
    using stand = await openStoreStand({ folder: folder.path });
    const ledger = openChoiceLedger(openChoiceTable(stand.db), stand.writer, log);
    const created = await Promise.all(
      ['One', 'Unreadable', 'Deleted'].map(async (name) => (await stand.streams.create({ name })).id),
    );
    for (const id of [...created, 'k3j2~show', 'k3j2~forgotten']) ledger.save(id, choice);
    ledger.save(created[0] as string, { ...choice, encode: { kind: 'automatic' } });
    stand.writer.flush();
    openChoiceTable(stand.db).set(created[1] as string, { source: '{"picture":', encode: '{"kind":"automatic"}' });
    await stand.streams.delete(created[2] as string);
    ledger.save('k3j2~forgotten', undefined);
    return created;
  })();
  using again = await openStoreStand({ folder: folder.path });
  const ledger = openChoiceLedger(openChoiceTable(again.db), again.writer, log);
  expect(ids.map((id) => ledger.find(id))).toEqual([{ ...choice, encode: { kind: 'automatic' } }, undefined, undefined]);
  expect(ledger.keys()).toEqual([ids[0], 'k3j2~show']);
});
