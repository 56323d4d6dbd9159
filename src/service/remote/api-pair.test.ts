import { expect, test } from 'vitest';
import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import { findApiPair } from './api-pair.ts';

const pairOf = (host: string, port = ''): IngestPair => ({
  ingest: `rtmp://${host}:1935/live`,
  playback: `https://${host}${port}/hls`,
});
const ber = pairOf('ber.example.com', ':4600');
const jfk = pairOf('jfk.example.com', ':4600');
const cdn: IngestPair = { ingest: 'rtmp://fra-rtmp.example.com/live', playback: 'https://fra.cdn.example.net/hls' };

test.each<[string, IngestPair[], string, IngestPair | undefined]>([
  ['the only pair, whatever it is called', [cdn], 'https://api.example.com/api', cdn],
  ['the pair with the host and port of the interface', [jfk, ber], 'https://ber.example.com:4600/api', ber],
  ['the pair with its host, at another port', [jfk, ber], 'https://ber.example.com/api', ber],
  [
    'the pair whose base has its host',
    [jfk, { ...cdn, base: 'https://fra-api.example.com' }],
    'https://fra-api.example.com/api',
    { ...cdn, base: 'https://fra-api.example.com' },
  ],
  [
    'the pair whose ingest alone has its host',
    [jfk, { ...cdn, ingest: 'rtmp://eu.example.com/live' }],
    'https://eu.example.com',
    {
      ...cdn,
      ingest: 'rtmp://eu.example.com/live',
    },
  ],
  [
    'the pair with its port, of two with its host',
    [pairOf('localhost', ':4600'), pairOf('localhost', ':4601')],
    'https://localhost:4601/api',
    pairOf('localhost', ':4601'),
  ],
  [
    'none if several have its host',
    [pairOf('localhost', ':4600'), pairOf('localhost', ':4601')],
    'https://localhost/api',
    undefined,
  ],
  ['none if none has it', [jfk, ber], 'https://api.example.com/api', undefined],
  ['none of none', [], 'https://api.example.com/api', undefined],
])("a service's own region is %s", (_, pairs, baseUrl, own) => {
  expect(findApiPair(pairs, baseUrl)).toEqual(own);
});
