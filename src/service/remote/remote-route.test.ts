import { expect, test } from 'vitest';
import { nameRegion } from './remote-route.ts';

test.each([
  ['rtmps://FRA-rtmp.example.com/live', 'fra'],
  ['rtmp://ingest.example.com/live', 'ingest.example.com'],
  ['rtmp://127.0.0.1:1936/live', '127.0.0.1:1936'],
  ['rtmp://[::1]:1936/live', '[::1]:1936'],
])('the region of %s is called %s', (ingest, code) => {
  const pair = { ingest, playback: 'https://example.com/hls' };
  expect(nameRegion(pair)).toEqual({ ...pair, code });
});
