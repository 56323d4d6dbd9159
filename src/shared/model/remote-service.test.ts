import { expect, test } from 'vitest';
import { parseRemoteBaseUrl } from './remote-service.ts';
import { formatStreamRef, parseStreamRef } from './stream-ref.ts';

test.each([
  ['https://live.example.com/api', 'https://live.example.com/api'],
  [' https://Live.Example.com:8443/api/// ', 'https://live.example.com:8443/api'],
  ['https://live.example.com', 'https://live.example.com'],
  ['\u200bhttps://live.example.com/api\u200b', 'https://live.example.com/api'],
  ['http://127.0.0.1:4600/api', 'http://127.0.0.1:4600/api'],
  ['http://[::1]:4600/api/', 'http://[::1]:4600/api'],
  // Beyond this computer, the key would be readable on the way.
  ['http://192.168.1.20:4600/api', undefined],
  ['http://live.example.com/api', undefined],
  ['https://user:word@live.example.com/api', undefined],
  ['https://user@live.example.com/api', undefined],
  ['https://:word@live.example.com/api', undefined],
  ['https://live.example.com/api?key=1', undefined],
  ['https://live.example.com/api#x', undefined],
  ['rtmp://live.example.com/live', undefined],
  ['live.example.com', undefined],
  ['', undefined],
])('the address %j is the base URL %j', (text, baseUrl) => {
  expect(parseRemoteBaseUrl(text)).toBe(baseUrl);
});

test('a stream is named by its service and its id', () => {
  const local = { serviceId: undefined, id: '0f8c-1' };
  const remote = { serviceId: 'k3j2', id: 'a~b' };
  expect([local, remote].map(formatStreamRef)).toEqual(['0f8c-1', 'k3j2~a~b']);
  expect([local, remote].map((ref) => parseStreamRef(formatStreamRef(ref)))).toEqual([local, remote]);
});
