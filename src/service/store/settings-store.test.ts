import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockStore } from '../../../test/support/rival-program.ts';
import { createTestLog, makeTestFolder, openStoreStand, type StoreStand } from '../../../test/support/store-stand.ts';
import type { SettingsChanges } from '../../shared/model/settings.ts';
import type { GivenSettings } from '../config.ts';
import { openSettingTable } from './setting-table.ts';
import { openSettingsStore } from './settings-store.ts';

const defaults = {
  httpPort: 4600,
  rtmpPort: 1935,
  regionCode: 'ber',
  regions: [],
  regionNetworks: [],
  regionChoice: 'automatic',
  changesRegion: false,
  reconnectWindowSeconds: 60,
  liveWindowSeconds: 60,
  partMs: 200,
  encoder: 'automatic',
  lookahead: false,
  loudnessTargetLufs: -16,
};
const urls = { ingest: 'rtmp://10.0.0.2/live', playback: 'http://10.0.0.2/hls', base: 'http://10.0.0.2' };
const { log, lines } = createTestLog();
let stand: StoreStand;
beforeEach(async () => {
  stand = await openStoreStand();
  lines.length = 0;
});
afterEach(() => stand.close());
const open = (region = 'ber', given?: GivenSettings) =>
  openSettingsStore(openSettingTable(stand.db), stand.writer, log, { given, proposedRegion: () => region });

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
  expect([open().get(), lines]).toEqual([cleared, []]);
  expect(heard).toEqual([changed, cleared]);
  stop();
  await settings.update({ rtmpPort: 1936 });
  expect(heard).toHaveLength(2);
});

test.each<[string, SettingsChanges]>([
  ['a domain', { serviceDomain: 'live.example.com' }],
  ['other regions', { regions: [{ code: 'sin', urls }] }],
  ['a network', { regionNetworks: [{ network: '10.0.0.0/8', region: 'lhr' }] }],
  ['a chosen region', { regionChoice: 'lhr' }],
])('with %s, the region stays when the computer comes to another time zone', async (_, changes) => {
  await open('lhr').update(changes);
  expect(open('ber').get()).toEqual({ ...defaults, ...changes, regionCode: 'lhr' });
});

test('otherwise the region follows the time zone, whatever else is changed', async () => {
  await open('lhr').update({ partMs: 300 });
  expect(open('ber').get()).toEqual({ ...defaults, partMs: 300, regionCode: 'ber' });
});

test('with a domain that is given at each start, or was stored before, the region stays, too', async () => {
  const given: GivenSettings = {
    values: { serviceDomain: 'live.example.com' },
    sources: { serviceDomain: { kind: 'option', name: '--service-domain' } },
  };
  expect(open('lhr', given).get().regionCode).toBe('lhr');
  await expect.poll(() => openSettingTable(stand.db).find('settings.regionCode')).toBe('"lhr"');
  expect(open('ber', given).get().regionCode).toBe('lhr');
});

test('a region that is given at one start is not stored, though there is a domain: later starts have the one before', async () => {
  await open('lhr').update({ serviceDomain: 'live.example.com' });
  const given = open('ber', {
    values: { regionCode: 'fra' },
    sources: { regionCode: { kind: 'option', name: '--region' } },
  });
  expect((await given.update({ partMs: 300 })).regionCode).toBe('fra');
  expect(open('ber').get()).toEqual({ ...defaults, regionCode: 'lhr', serviceDomain: 'live.example.com', partMs: 300 });
});

test('an invalid change is refused, and nothing changes', async () => {
  const settings = open();
  await expect(settings.update({ httpPort: 0, rtmpPort: 1936 })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect(settings.get()).toEqual(defaults);
  expect(open().get()).toEqual(defaults);
});

test('regions that disagree with each other are refused, in whichever setting the change is', async () => {
  const settings = open();
  await expect(settings.update({ regions: [{ code: 'jfk' }] })).rejects.toMatchObject({
    details: { violations: [{ code: 'region-without-urls', path: ['regions', 0, 'urls'], region: 'jfk' }] },
  });
  await settings.update({ serviceDomain: 'example.com', regions: [{ code: 'jfk' }, { code: 'sin', urls }] });
  await expect(settings.update({ serviceDomain: '' })).rejects.toMatchObject({
    details: { violations: [{ code: 'region-without-urls', path: ['regions', 0, 'urls'], region: 'jfk' }] },
  });
  const regionNetworks = ['ber', 'jfk', 'ams'].map((region, index) => ({ network: `10.${index}.0.0/16`, region }));
  await expect(settings.update({ regionNetworks })).rejects.toMatchObject({
    details: { violations: [{ code: 'unknown-region', path: ['regionNetworks', 2, 'region'], region: 'ams' }] },
  });
  await expect(settings.update({ regionChoice: 'ams' })).rejects.toMatchObject({
    details: { violations: [{ code: 'unknown-region', path: ['regionChoice'], region: 'ams' }] },
  });
  expect(settings.get()).toEqual({
    ...defaults,
    serviceDomain: 'example.com',
    regions: [{ code: 'jfk' }, { code: 'sin', urls }],
  });
});

test('without a domain, the region of this computer needs no URLs in the list of regions', async () => {
  const regions = [{ code: 'ber' }, { code: 'sin', urls }];
  expect((await open().update({ regions })).regions).toEqual(regions);
});

test('changes that wait for the store together must agree, too', async () => {
  using folder = makeTestFolder();
  using busy = await openStoreStand({ folder: folder.path });
  const settings = openSettingsStore(openSettingTable(busy.db), busy.writer, log, { proposedRegion: () => 'ber' });
  await settings.update({ serviceDomain: 'example.com' });
  using rival = lockStore(folder.path);
  const listed = settings.update({ regions: [{ code: 'jfk' }] });
  const cleared = settings.update({ serviceDomain: '' });
  rival.release();
  const violations = [{ code: 'region-without-urls', path: ['regions', 0, 'urls'], region: 'jfk' }];
  expect(await Promise.allSettled([listed, cleared])).toMatchObject([
    { status: 'fulfilled' },
    { reason: { details: { violations } } },
  ]);
  const kept = { ...defaults, serviceDomain: 'example.com', regions: [{ code: 'jfk' }] };
  expect(settings.get()).toEqual(kept);
  expect(openSettingsStore(openSettingTable(busy.db), busy.writer, log, { proposedRegion: () => 'ber' }).get()).toEqual(kept);
});

test('given regions must agree with the other settings; stored ones that do not are no reason not to start', async () => {
  await open().update({ serviceDomain: 'example.com', regions: [{ code: 'jfk' }] });
  const noDomain: GivenSettings = {
    values: { serviceDomain: '' },
    sources: { serviceDomain: { kind: 'option', name: '--service-domain' } },
  };
  const { serviceDomain, regions } = open('ber', noDomain).get();
  expect({ serviceDomain, regions }).toEqual({ serviceDomain: undefined, regions: [{ code: 'jfk' }] });
  const network: GivenSettings = {
    values: { regionNetworks: [{ network: '10.0.0.0/8', region: 'sin' }] },
    sources: { regionNetworks: { kind: 'environment', name: 'TALLYLIGHT_REGION_NETWORKS' } },
  };
  expect(() => open('ber', network)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
});

test('stored regions that no longer agree with given settings can be corrected one by one', async () => {
  const given = (values: GivenSettings['values']): GivenSettings => ({
    values,
    sources: Object.fromEntries(Object.keys(values).map((name) => [name, { kind: 'option', name: '--given' }])),
  });
  const at = (host: string) => ({ ingest: `rtmp://${host}/live`, playback: `http://${host}/hls`, base: `http://${host}` });
  const jfk = { code: 'jfk', urls: at('10.0.0.2') };
  const sin = { code: 'sin', urls: at('10.0.0.3') };
  const first = { network: '10.1.0.0/16', region: 'sin' };
  const second = { network: '10.2.0.0/16', region: 'sin' };
  await open('ber').update({ regions: [jfk, sin], regionNetworks: [first, second] });
  const settings = open('ber', given({ regions: [jfk] }));
  await settings.update({ regionNetworks: [second] });
  await expect(settings.update({ regionNetworks: [second, { ...first, region: 'ams' }] })).rejects.toMatchObject({
    details: { violations: [{ code: 'unknown-region', path: ['regionNetworks', 1, 'region'], region: 'ams' }] },
  });
  expect((await settings.update({ regionNetworks: [] })).regionNetworks).toEqual([]);

  await open('ber').update({ serviceDomain: 'example.com', regions: [{ code: 'jfk' }] });
  const withoutDomain = open('ber', given({ serviceDomain: '' }));
  expect((await withoutDomain.update({ regionNetworks: [{ ...first, region: 'ber' }] })).regionNetworks).toHaveLength(1);
  await expect(withoutDomain.update({ regions: [{ code: 'ams' }, { code: 'jfk' }] })).rejects.toMatchObject({
    details: { violations: [{ code: 'region-without-urls', path: ['regions', 0, 'urls'], region: 'ams' }] },
  });
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

test('given settings hold instead of the stored ones, cannot be changed, and are not stored', async () => {
  await open().update({ serviceDomain: 'live.example.com', partMs: 300, liveWindowSeconds: 600 });
  const given = open('ber', {
    values: { serviceDomain: '', partMs: 500, regionCode: 'fra' },
    sources: {
      serviceDomain: { kind: 'environment', name: 'TALLYLIGHT_SERVICE_DOMAIN' },
      partMs: { kind: 'option', name: '--part-length' },
      regionCode: { kind: 'option', name: '--region' },
      // Any free port.
      httpPort: { kind: 'option', name: '--http-port' },
    },
  });
  const settings = { ...defaults, regionCode: 'fra', partMs: 500, liveWindowSeconds: 600 };
  expect(given.get()).toEqual(settings);
  expect(await given.update({ reconnectWindowSeconds: 70 })).toEqual({ ...settings, reconnectWindowSeconds: 70 });
  const source = { kind: 'option', name: '--http-port' };
  await expect(given.update({ reconnectWindowSeconds: 30, httpPort: 8080 })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    details: { violations: [{ code: 'given-at-start', path: ['httpPort'], source }] },
  });
  expect(open().get()).toEqual({
    ...defaults,
    serviceDomain: 'live.example.com',
    partMs: 300,
    liveWindowSeconds: 600,
    reconnectWindowSeconds: 70,
  });
});
