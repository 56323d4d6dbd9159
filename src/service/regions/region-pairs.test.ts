import { expect, test } from 'vitest';
import { listRegionPairs } from './region-pairs.ts';

const address = { host: '127.0.0.1', httpPort: 4600, rtmpPort: 1935 };
const local = { ingest: 'rtmp://127.0.0.1:1935/live', playback: 'http://127.0.0.1:4600/hls', base: 'http://127.0.0.1:4600' };
const jfk = { ingest: 'rtmps://10.0.0.2/live', playback: 'https://10.0.0.2/hls', base: 'https://10.0.0.2' };

test('without a list, this computer is the only region', () => {
  expect(listRegionPairs({ regionCode: 'ber', regions: [] }, address)).toEqual([
    { ...local, code: 'ber', isOwn: true, isListed: false, reach: local },
  ]);
});

test('regions are made from the service domain, unless they have URLs; this computer reaches its own on loopback', () => {
  const regions = [{ code: 'sin' }, { code: 'jfk', urls: jfk }, { code: 'ber' }];
  const shape = (code: string) => ({
    ingest: `rtmp://${code}-rtmp.example.com/live`,
    playback: `https://${code}-cdn.example.com/hls`,
    base: `https://${code}-cdn.example.com`,
  });
  expect(listRegionPairs({ regionCode: 'ber', serviceDomain: 'example.com', regions }, address)).toEqual([
    { ...shape('sin'), code: 'sin', isOwn: false, isListed: true, reach: shape('sin') },
    { ...jfk, code: 'jfk', isOwn: false, isListed: true, reach: jfk },
    { ...shape('ber'), code: 'ber', isOwn: true, isListed: true, reach: local },
  ]);
});

test('with TLS, regions of the domain have the scheme and the ports of this computer', () => {
  const settings = { regionCode: 'ber', serviceDomain: 'example.com', regions: [{ code: 'sin' }] };
  expect(listRegionPairs(settings, { ...address, hasTls: true }).map(({ ingest, base }) => [ingest, base])).toEqual([
    ['rtmps://ber-rtmp.example.com:1935/live', 'https://ber-cdn.example.com:4600'],
    ['rtmps://sin-rtmp.example.com:1935/live', 'https://sin-cdn.example.com:4600'],
  ]);
});

test("this computer's region can have URLs of its own, and without a domain others must", () => {
  const regions = [{ code: 'ber', urls: jfk }, { code: 'sin' }];
  expect(listRegionPairs({ regionCode: 'ber', regions }, address)).toEqual([
    { ...jfk, code: 'ber', isOwn: true, isListed: true, reach: local },
  ]);
});

test('without a domain, this computer has the host that a caller elsewhere asked, in the scheme it came by', () => {
  const seenAs = new URL('https://tally.local:4600');
  const settings = { regionCode: 'ber', regions: [] };
  expect(listRegionPairs(settings, { ...address, host: '0.0.0.0', hasTls: true, seenAs })).toEqual([
    {
      ingest: 'rtmps://tally.local:1935/live',
      playback: 'https://tally.local:4600/hls',
      base: 'https://tally.local:4600',
      code: 'ber',
      isOwn: true,
      isListed: false,
      reach: local,
    },
  ]);
  const withUrls = { regionCode: 'ber', regions: [{ code: 'ber', urls: jfk }] };
  expect(listRegionPairs(withUrls, { ...address, seenAs })).toMatchObject([jfk]);
  const withDomain = { ...settings, serviceDomain: 'example.com' };
  expect(listRegionPairs(withDomain, { ...address, seenAs })).toMatchObject([{ base: 'https://ber-cdn.example.com' }]);
});
