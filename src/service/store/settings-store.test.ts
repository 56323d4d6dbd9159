import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestLog, openStoreStand, type StoreStand } from '../../../test/support/store-stand.ts';
import { openSettingTable } from './setting-table.ts';
import { openSettingsStore } from './settings-store.ts';

const defaults = {
  httpPort: 4600,
  rtmpPort: 1935,
  regionCode: 'ber',
  reconnectWindowSeconds: 60,
  liveWindowSeconds: 60,
  partMs: 200,
  encoder: 'automatic',
  lookahead: false,
};
const { log, lines } = createTestLog();
let stand: StoreStand;
beforeEach(async () => {
  stand = await openStoreStand();
  lines.length = 0;
});
afterEach(() => stand.close());
const open = (region = 'ber') => openSettingsStore(openSettingTable(stand.db), stand.writer, log, () => region);

test('a new data folder has the defaults and the proposed region', async () => {
  expect(open().get()).toEqual(defaults);
  // Values that were not chosen are not stored, so they follow the proposal.
  expect(open('sin').get()).toEqual({ ...defaults, regionCode: 'sin' });
});

test('changes are stored, reported, and read at the next start; an empty service domain clears it', async () => {
  const settings = open();
  const heard: unknown[] = [];
  const stop = settings.onChange((value) => heard.push(value));
  const changed = { ...defaults, httpPort: 8080, regionCode: 'fra', serviceDomain: 'live.example.com' };
  expect(await settings.update({ httpPort: 8080, regionCode: 'fra', serviceDomain: 'live.example.com' })).toEqual(changed);
  expect(open().get()).toEqual(changed);
  const { serviceDomain: _, ...cleared } = changed;
  expect(await settings.update({ serviceDomain: '' })).toEqual(cleared);
  expect(open().get()).toEqual(cleared);
  expect(heard).toEqual([changed, cleared]);
  stop();
  await settings.update({ rtmpPort: 1936 });
  expect(heard).toHaveLength(2);
});

test('an invalid change is refused, and nothing changes', async () => {
  const settings = open();
  await expect(settings.update({ httpPort: 0, rtmpPort: 1936 })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect(settings.get()).toEqual(defaults);
  expect(open().get()).toEqual(defaults);
});

test.each(['not JSON', '"text"', '99999', 'null', ''])(
  'a stored value damaged to %j is replaced by its default and logged',
  async (value) => {
    const table = openSettingTable(stand.db);
    await open().update({ rtmpPort: 1936 });
    table.set('settings.httpPort', value);
    table.set('settings.serviceDomain', value);
    expect(open().get()).toEqual({ ...defaults, rtmpPort: 1936 });
    expect(lines.map(({ setting, msg }) => `${setting}: ${msg}`)).toEqual([
      'httpPort: A stored setting is invalid. The default is used.',
      'serviceDomain: A stored setting is invalid. The default is used.',
    ]);
  },
);
