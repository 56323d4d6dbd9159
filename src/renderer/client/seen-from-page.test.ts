import { expect, test } from 'vitest';
import { seenFromPage } from './seen-from-page.ts';

const browser = { userAgent: 'Chrome/156' };
const loopback = {
  api: 'http://127.0.0.1:4600/api',
  ingest: 'rtmp://127.0.0.1:1935/live',
  playback: 'http://127.0.0.1:4600/hls',
};
const domain = {
  api: 'https://fra-cdn.example.com/api',
  ingest: 'rtmp://fra-rtmp.example.com/live',
  playback: 'https://fra-cdn.example.com/hls',
};
const infoOf = ({ api, ingest, playback }: typeof loopback, local = { api, ingest, playback }) => ({
  apiBaseUrl: api,
  ingestBaseUrl: ingest,
  playbackBaseUrl: playback,
  localApiBaseUrl: local.api,
  localIngestBaseUrl: local.ingest,
  localPlaybackBaseUrl: local.playback,
});

test.each([
  [
    'http://192.168.1.20:4600',
    { api: 'http://192.168.1.20:4600/api', ingest: 'rtmp://192.168.1.20:1935/live', playback: 'http://192.168.1.20:4600/hls' },
  ],
  [
    'https://tally.local:4600',
    { api: 'https://tally.local:4600/api', ingest: 'rtmps://tally.local:1935/live', playback: 'https://tally.local:4600/hls' },
  ],
  [
    'http://[fd00::5]:4600',
    { api: 'http://[fd00::5]:4600/api', ingest: 'rtmp://[fd00::5]:1935/live', playback: 'http://[fd00::5]:4600/hls' },
  ],
])('without a domain, a page opened at %s has URLs of that address', (origin, seen) => {
  expect(seenFromPage({ navigator: browser, location: { origin } }, infoOf(loopback))).toEqual(infoOf(seen));
});

test.each([
  ['on this computer', browser, 'http://localhost:4600', infoOf(loopback)],
  ['of the desktop app', { userAgent: 'Chrome/156 Electron/42.0' }, 'tallylight://app', infoOf(loopback)],
  ['elsewhere, with a domain', browser, 'https://192.168.1.20:4600', infoOf(domain, loopback)],
])('a page %s has the URLs of the service', (_, navigator, origin, info) => {
  expect(seenFromPage({ navigator, location: { origin } }, info)).toEqual(info);
});
