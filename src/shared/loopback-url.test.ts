import { expect, test } from 'vitest';
import { isLoopbackUrl } from './loopback-url.ts';

test.each([
  ['http://127.0.0.1:4600/hls/x/index.m3u8', true],
  ['http://127.8.9.10/', true],
  ['http://localhost:4600/', true],
  ['http://app.localhost:4600/', true],
  ['http://localhost.:4600/', true],
  ['http://app.localhost.:4600/', true],
  ['http://notlocalhost:4600/', false],
  ['http://[::1]:4600/', true],
  ['http://192.168.1.20:4600/', false],
  ['https://playback.live.example.com/hls', false],
  ['http://127.0.0.1.example.com/', false],
  ['no URL', false],
])('%s leads to this computer only: %s', (url, isLoopback) => {
  expect(isLoopbackUrl(url)).toBe(isLoopback);
});
