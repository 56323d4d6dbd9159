import { expect, test } from 'vitest';
import { RemotePairs } from './remote-answers.ts';
import { findMediaOrigin, findPlainIngest, pickUsable } from './usable-pairs.ts';

test.each([
  ['https://fra-cdn.example.com/hls', 'https://fra-cdn.example.com'],
  ['https://[fd00::1]:8443/hls', 'https://[fd00::1]:8443'],
  ['http://127.0.0.1:4600/hls', 'http://127.0.0.1:4600'],
  ['http://cdn.example.com/hls', undefined],
  // In a Content-Security-Policy these would allow more than one origin, or end the directive.
  ['https://*/hls', undefined],
  ['https://*.example.com/hls', undefined],
  ['https://a;sandbox/hls', undefined],
  ["https://a,'none'/hls", undefined],
  ['https://user@cdn.example.com/hls', undefined],
  ['data:text/plain,x', undefined],
  ['nothing', undefined],
])('the playback URL %s has the media origin %s', (playback, origin) => {
  expect(findMediaOrigin(playback)).toBe(origin);
});

const good = { ingest: 'rtmps://fra.example.com/live', playback: 'https://fra.example.com/hls' };
const elsewhere = { baseUrl: 'https://api.example.com' };

test('pairs that can be used from here are kept, without what only the service knows', () => {
  const answer = [
    { ...good, playback: `${good.playback}/`, base: null, weight: 3 },
    { ...good, ingest: 'srt://fra.example.com' },
    { ...good, base: 'https://fra.example.com/' },
  ];
  expect(pickUsable(RemotePairs.parse(answer), elsewhere)).toEqual({
    usable: [good, { ...good, base: 'https://fra.example.com' }],
    fault: 'address',
  });
});

test.each([
  ['srt://fra.example.com', good.playback, 'address'],
  [good.ingest, 'nothing', 'address'],
  [good.ingest, 'https://*.example.com/hls', 'address'],
  [good.ingest, 'http://fra.example.com/hls', 'unencrypted'],
  ['rtmp://127.0.0.1:1935/live', 'http://127.0.0.1:4600/hls', 'loopback'],
  ['rtmp://127.1/live', good.playback, 'loopback'],
  ['rtmp://[::1]:1935/live', good.playback, 'loopback'],
  ['rtmp://[::ffff:127.0.0.1]/live', good.playback, 'loopback'],
  ['rtmp://0.0.0.0/live', good.playback, 'loopback'],
  ['rtmp://[::]/live', good.playback, 'loopback'],
  ['rtmp://[::ffff:0.0.0.0]/live', good.playback, 'loopback'],
  ['rtmp://LOCALHOST/live', good.playback, 'loopback'],
  ['rtmp://localhost./live', good.playback, 'loopback'],
  ['rtmp://tally.localhost/live', good.playback, 'loopback'],
  [good.ingest, 'https://localhost:4600/hls', 'loopback'],
  [good.ingest, 'https://[::1]/hls', 'loopback'],
  [good.ingest, 'https://[::ffff:0.0.0.0]/hls', 'loopback'],
  [good.ingest, 'https://tally.localhost./hls', 'loopback'],
])('a pair with ingest %s and playback %s of a service elsewhere is left out: %s', (ingest, playback, fault) => {
  expect(pickUsable([{ ingest, playback }], elsewhere)).toEqual({ usable: [], fault });
});

test('a service on this computer may have pairs on loopback', () => {
  const pair = { ingest: 'rtmp://127.0.0.1:1936/live', playback: 'http://127.0.0.1:4601/hls' };
  expect(pickUsable([pair], { baseUrl: 'http://localhost:4601/api' })).toEqual({ usable: [pair], fault: undefined });
});

test('as many pairs are taken as our own list may have', () => {
  const pairs = Array.from({ length: 1000 }, (_, index) => ({ ...good, ingest: `rtmps://r${index}.example.com/live` }));
  expect(pickUsable(RemotePairs.parse(pairs), elsewhere)).toEqual({ usable: pairs.slice(0, 64), fault: undefined });
});

test.each([
  ['rtmp://fra.example.com/live', 'fra.example.com'],
  ['rtmps://fra.example.com/live', undefined],
  ['rtmp://127.0.0.1:1936/live', undefined],
  ['srt://fra.example.com', undefined],
])('the ingest %s takes media unencrypted at: %s', (ingest, host) => {
  expect(findPlainIngest(ingest)).toBe(host);
});
