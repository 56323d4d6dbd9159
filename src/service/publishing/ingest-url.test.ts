import { expect, test } from 'vitest';
import { formatIngestAddress, parseIngestUrl } from './ingest-url.ts';

const plain = { host: 'live.example.com', port: 1935, isSecure: false, app: 'app', tcUrl: 'rtmp://live.example.com:1935/app' };

test.each([
  ['rtmp://live.example.com/app', plain],
  ['  RTMP://live.example.com:1935/app/ ', plain],
  ['rtmps://live.example.com/app', { ...plain, port: 443, isSecure: true, tcUrl: 'rtmps://live.example.com:443/app' }],
  ['rtmp://live.example.com:80/app', { ...plain, port: 80, tcUrl: 'rtmp://live.example.com:80/app' }],
  [
    'rtmps://[2001:db8::1]:8443/a/b?token=1',
    { host: '2001:db8::1', port: 8443, isSecure: true, app: 'a/b?token=1', tcUrl: 'rtmps://[2001:db8::1]:8443/a/b?token=1' },
  ],
  ['rtmp://127.0.0.1', { host: '127.0.0.1', port: 1935, isSecure: false, app: '', tcUrl: 'rtmp://127.0.0.1:1935/' }],
  [
    'rtmp://bücher.example/live',
    { ...plain, host: 'xn--bcher-kva.example', app: 'live', tcUrl: 'rtmp://xn--bcher-kva.example:1935/live' },
  ],
])('%s', (text, address) => {
  expect(parseIngestUrl(text)).toEqual(address);
});

test.each([
  '',
  'live.example.com/app',
  'https://live.example.com/app',
  'rtmp:///app',
  'rtmp://live.example.com:0/app',
  'rtmp://live.example.com:70000/app',
  'rtmp://user:secret@live.example.com/app',
  'rtmp://live.example.com/app#key',
  'rtmp://live .example.com/app',
])('“%s” is no ingest URL', (text) => {
  expect(parseIngestUrl(text)).toBeUndefined();
});

test('slashes inside a path stay, however many', () => {
  const app = `a${'/'.repeat(200_000)}b`;
  expect(parseIngestUrl(`rtmp://live.example.com/${app}//`)?.app.length).toBe(app.length);
});

test('its address is the host and the port, also of IPv6', () => {
  const urls = ['rtmp://live.example.com/app', 'rtmps://[2001:db8::1]/app', 'https://live.example.com/app'];
  expect(urls.map(formatIngestAddress)).toEqual(['live.example.com:1935', '[2001:db8::1]:443', undefined]);
});
