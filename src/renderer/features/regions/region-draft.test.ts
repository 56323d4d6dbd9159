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
  expect(placeRegion({ ...draft, base: '' }, [jfk, ber], 'jfk')).toEqual({ regions: [jfk, ber] });
  expect(placeRegion({ ...draft, code: 'sin', isFromDomain: true }, [jfk, ber], 'jfk')).toEqual({
    regions: [{ code: 'sin' }, ber],
  });
  // This computer's region, which isn't listed yet.
  expect(placeRegion({ ...draft, code: 'ams' }, [ber], 'ams')).toEqual({ regions: [ber, { code: 'ams', urls }] });
});

test.each<[Partial<RegionDraft>, RegionFaults]>([
  [{ code: 'berlin' }, { code: 'Use the three-letter code of a nearby airport, like ber.' }],
  [{ code: 'ber' }, { code: 'It must be another code: each region is listed once.' }],
  [
    { ingest: 'https://a.io/live' },
    { ingest: 'Use a URL like "rtmps://ber-rtmp.example.com/live", without a slash at its end.' },
  ],
  [{ playback: '', base: '' }, { playback: 'Use a URL like "https://ber-cdn.example.com/hls", without a slash at its end.' }],
  [
    { playback: '', base: 'cdn' },
    {
      playback: 'Use a URL like "https://ber-cdn.example.com/hls", without a slash at its end.',
      base: 'Use a URL like "https://ber-cdn.example.com", without a slash at its end.',
    },
  ],
  // Their origins would allow more than one host, or end a directive, in the page's Content-Security-Policy.
  ...['https://*/hls', 'https://*.a.io/hls', 'https://a.io;sandbox/hls'].map(
    (playback): [Partial<RegionDraft>, RegionFaults] => [
      { playback, base: '' },
      { playback: 'Use a URL like "https://ber-cdn.example.com/hls", without a slash at its end.' },
    ],
  ),
  [{ ingest: 'rtmp://sin-rtmp.a.io/live' }, { ingest: 'It must be of region jfk: it names sin.' }],
  [{ base: 'https://b.io' }, { playback: 'It must have the same host and port as the base URL.' }],
])('%j is a fault that says how to be right', (changes, faults) => {
  expect(placeRegion({ ...draft, ...changes }, [ber], undefined)).toEqual({ faults });
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
  expect(addNetwork([network], { ...network, region: 'jfk' })).toEqual({ fault: 'This network is already listed.' });
  expect(addNetwork([], { network: '203.0.113.7', region: 'ber' })).toEqual({
    fault: 'Use a network like 203.0.113.0/24 or 2001:db8::/32.',
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
