import { expect, test } from 'vitest';
import type { StreamLive } from '../../../shared/model/views.ts';
import { findStreamUrls } from './stream-urls.ts';

const page = { navigator: { userAgent: 'Chrome/156' }, location: { origin: 'http://localhost:4600' } };
const own = {
  ingestBaseUrl: 'rtmp://127.0.0.1:1935/live',
  playbackBaseUrl: 'http://127.0.0.1:4600/hls',
  localIngestBaseUrl: 'rtmp://127.0.0.1:1935/live',
  localPlaybackBaseUrl: 'http://127.0.0.1:4600/hls',
};
const stream = { playbackId: 'abc' } as StreamLive['stream'];
const pair = { ingest: 'rtmps://fra.example.com/live', playback: 'https://fra.example.com/hls' };

test("a stream of this computer has this computer's URLs, and the monitor plays from the page's origin", () => {
  expect(findStreamUrls(page, { stream }, own)).toEqual({
    ingest: 'rtmp://127.0.0.1:1935/live',
    playback: 'http://127.0.0.1:4600/hls/abc/index.m3u8',
    monitor: 'http://localhost:4600/hls/abc/index.m3u8',
    local: undefined,
  });
  const domain = {
    ...own,
    ingestBaseUrl: 'rtmp://fra-rtmp.example.com/live',
    playbackBaseUrl: 'https://fra-cdn.example.com/hls',
  };
  expect(findStreamUrls(page, { stream }, domain)?.local).toEqual({
    ingestUrl: 'rtmp://127.0.0.1:1935/live',
    playbackUrl: 'http://127.0.0.1:4600/hls/abc/index.m3u8',
  });
});

test("a remote stream has its service's, once they are known", () => {
  const playback = 'https://fra.example.com/hls/abc/index.m3u8';
  expect(findStreamUrls(page, { stream, service: { name: 'Team', pair, clockAheadMs: 0 } }, own)).toEqual({
    ingest: pair.ingest,
    playback,
    monitor: playback,
    local: undefined,
  });
  expect(findStreamUrls(page, { stream, service: { name: 'Team', clockAheadMs: 0 } }, own)).toBeUndefined();
});

test('a broadcast in another region is played from there, but not yet while one is only offered', () => {
  const jfk = { code: 'jfk', isOwn: false, ...pair };
  const playback = 'https://fra.example.com/hls/abc/index.m3u8';
  expect(findStreamUrls(page, { stream, region: jfk }, own)).toEqual({
    ingest: pair.ingest,
    playback,
    monitor: playback,
    local: undefined,
  });
  const ber = { code: 'ber', isOwn: true, ingest: own.ingestBaseUrl, playback: own.playbackBaseUrl, offer: 'jfk' };
  expect(findStreamUrls(page, { stream, region: ber }, own)?.monitor).toBe('http://localhost:4600/hls/abc/index.m3u8');
});
