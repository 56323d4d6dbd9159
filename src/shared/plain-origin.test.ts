import { expect, test } from 'vitest';
import { findPlainOrigin } from './plain-origin.ts';

test.each([
  ['https://ber-cdn.example.com/hls', 'https://ber-cdn.example.com'],
  ['http://studio_pc:4600/hls', 'http://studio_pc:4600'],
  ['https://[fd00::1]:8443/hls', 'https://[fd00::1]:8443'],
  ['https://bücher.example/hls', 'https://xn--bcher-kva.example'],
  ['https://*/hls', undefined],
  ['https://*.example.com/hls', undefined],
  ['https://x.example;sandbox/hls', undefined],
  ["https://a,'none'/hls", undefined],
  ['rtmp://ber-rtmp.example.com/live', undefined],
  ['nothing', undefined],
])('the plain origin of %s is %s', (url, origin) => {
  expect(findPlainOrigin(url)).toBe(origin);
});
