import { expect, test } from 'vitest';
import { lackUrlParse } from '../../../../test/support/old-safari.ts';
import {
  addNetwork,
  draftOfRegion,
  forgetRegion,
  placeRegion,
  type RegionDraft,
  type RegionFaults,
  renameRegion,
} from './region-draft.ts';

const urls = { ingest: 'rtmp://a.io/live', playback: 'https://a.io/hls', base: 'https://a.io' };
const ber = { code: 'ber' };
const jfk = { code: 'jfk', urls };
const draft = draftOfRegion(jfk, true);

test('a new region is made from the domain if there is one; a known one is as it was', () => {
  expect(draftOfRegion(undefined, true)).toEqual({ code: '', isFromDomain: true, ingest: '', playback: '', base: '' });
  expect(draftOfRegion(undefined, false).isFromDomain).toBe(false);
  // Its base URL is made from the playback URL, and follows when that is edited.
  expect(draft).toEqual({ code: 'jfk', isFromDomain: false, ...urls, base: '' });
  const apart = { ...urls, base: 'https://api.example.com' };
  expect(draftOfRegion({ code: 'jfk', urls: apart }, false).base).toBe('https://api.example.com');
  expect(draftOfRegion(ber, false).isFromDomain).toBe(true);
});

test('a region is added at the end, or replaces the edited one', () => {
  expect(placeRegion({ ...draft, code: ' JFK ' }, [ber], undefined)).toEqual({ regions: [ber, jfk] });
  const pasted = { ingest: `\u200b${urls.ingest}\u200b`, playback: `${urls.playback}\u2060 `, base: '\u200b' };
  expect(placeRegion({ ...draft, ...pasted }, [ber], undefined)).toEqual({ regions: [ber, jfk] });
  expect(placeRegion({ ...draft, base: '' }, [jfk, ber], 'jfk')).toEqual({ regions: [jfk, ber] });
  expect(placeRegion({ ...draft, code: 'sin', isFromDomain: true }, [jfk, ber], 'jfk')).toEqual({
    regions: [{ code: 'sin' }, ber],
  });
  // This computer's region, which isn't listed yet.
  expect(placeRegion({ ...draft, code: 'ams' }, [ber], 'ams')).toEqual({ regions: [ber, { code: 'ams', urls }] });
});

test.each<[Partial<RegionDraft>, RegionFaults]>([
  [{ code: 'berlin' }, { code: { code: 'no-region-code' } }],
  [{ code: 'ber' }, { code: { code: 'listed-twice' } }],
  [{ ingest: 'https://a.io/live' }, { ingest: { code: 'no-base-url', example: 'rtmps://ber-rtmp.example.com/live' } }],
  [{ playback: '', base: '' }, { playback: { code: 'no-base-url', example: 'https://ber-cdn.example.com/hls' } }],
  [
    { playback: '', base: 'cdn' },
    {
      playback: { code: 'no-base-url', example: 'https://ber-cdn.example.com/hls' },
      base: { code: 'no-base-url', example: 'https://ber-cdn.example.com' },
    },
  ],
  // Their origins would allow more than one host, or end a directive, in the page's Content-Security-Policy.
  ...['https://*/hls', 'https://*.a.io/hls', 'https://a.io;sandbox/hls'].map(
    (playback): [Partial<RegionDraft>, RegionFaults] => [
      { playback, base: '' },
      { playback: { code: 'no-base-url', example: 'https://ber-cdn.example.com/hls' } },
    ],
  ),
  [{ ingest: 'rtmp://sin-rtmp.a.io/live' }, { ingest: { code: 'names-other', region: 'jfk', named: 'sin' } }],
  [{ base: 'https://b.io' }, { playback: { code: 'host-differs' } }],
  [{ ingest: `rtmp://a.io/${'x'.repeat(2_048)}` }, { ingest: { code: 'too-long' } }],
])('%j is a fault of its field', (changes, faults) => {
  expect(placeRegion({ ...draft, ...changes }, [ber], undefined)).toEqual({ faults });
});

test('a list has room for 64 regions', () => {
  const letters = 'abcdefgh';
  const full = [...letters].flatMap((first) => [...letters].map((second) => ({ code: `x${first}${second}` })));
  expect(placeRegion({ ...draft, isFromDomain: true }, full, undefined)).toMatchObject({
    faults: { code: { code: 'too-many' } },
  });
});

test('the URLs of a region are checked in Safari 17, too', () => {
  lackUrlParse();
  expect(placeRegion(draft, [ber], undefined)).toEqual({ regions: [ber, jfk] });
  expect(placeRegion({ ...draft, ingest: 'live' }, [ber], undefined)).toMatchObject({ faults: { ingest: expect.anything() } });
});

test('a network is added once', () => {
  const network = { network: '203.0.113.0/24', region: 'ber' };
  expect(addNetwork([], { ...network, network: ' 203.0.113.0/24 ' })).toEqual({ networks: [network] });
  expect(addNetwork([network], { network: '2001:DB8::/32', region: 'jfk' })).toEqual({
    networks: [network, { network: '2001:db8::/32', region: 'jfk' }],
  });
  expect(addNetwork([network], { ...network, region: 'jfk' })).toEqual({ fault: 'listed-twice' });
  expect(addNetwork([], { network: '203.0.113.7', region: 'ber' })).toEqual({
    fault: 'no-network',
  });
});

test('a new code is saved with what points to the region', () => {
  const networks = [
    { network: '203.0.113.0/24', region: 'sin' },
    { network: '2001:db8::/32', region: 'ber' },
  ];
  const renamed = [{ network: '203.0.113.0/24', region: 'hkg' }, networks[1]];
  expect(renameRegion({ networks, choice: 'sin' }, 'sin', 'hkg')).toEqual({ regionNetworks: renamed, regionChoice: 'hkg' });
  expect(renameRegion({ networks, choice: 'ber' }, 'sin', 'hkg')).toEqual({ regionNetworks: renamed });
  expect(renameRegion({ networks, choice: 'sin' }, 'sin', 'sin')).toEqual({});
  expect(renameRegion({ networks, choice: 'automatic' }, 'jfk', 'hkg')).toEqual({});
  expect(renameRegion({ networks, choice: 'sin' }, undefined, 'hkg')).toEqual({});
});

test('what points to a region goes with it; nothing else is saved', () => {
  const networks = [
    { network: '203.0.113.0/24', region: 'sin' },
    { network: '2001:db8::/32', region: 'ber' },
  ];
  expect(forgetRegion({ networks, choice: 'sin' }, 'sin')).toEqual({
    regionNetworks: [networks[1]],
    regionChoice: 'automatic',
  });
  expect(forgetRegion({ networks, choice: 'ber' }, 'sin')).toEqual({ regionNetworks: [networks[1]] });
  expect(forgetRegion({ networks, choice: 'automatic' }, 'jfk')).toEqual({});
});
