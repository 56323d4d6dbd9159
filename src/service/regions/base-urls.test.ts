import { describe, expect, test } from 'vitest';
import { formatBaseUrls } from './base-urls.ts';

describe('base URLs', () => {
  const address = { host: '127.0.0.1', httpPort: 4600, rtmpPort: 1935 };

  test('follow the interface with a service domain', () => {
    expect(formatBaseUrls({ regionCode: 'fra', serviceDomain: 'example.com' }, address)).toEqual({
      ingest: 'rtmp://fra-rtmp.example.com/live',
      playback: 'https://fra-cdn.example.com/hls',
      base: 'https://fra-cdn.example.com',
    });
  });

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['::', '[::1]'],
    ['::1', '[::1]'],
    ['192.168.1.5', '192.168.1.5'],
    ['localhost', 'localhost'],
  ])('without a domain use, when bound to %s, the host %s and the actual ports', (host, shown) => {
    expect(formatBaseUrls({ regionCode: 'fra' }, { ...address, host, httpPort: 40123 })).toEqual({
      ingest: `rtmp://${shown}:1935/live`,
      playback: `http://${shown}:40123/hls`,
      base: `http://${shown}:40123`,
    });
  });

  test('with TLS and a service domain have our own ports, unless they are 443', () => {
    const domain = { regionCode: 'fra', serviceDomain: 'example.com' };
    expect(formatBaseUrls(domain, { ...address, hasTls: true })).toEqual({
      ingest: 'rtmps://fra-rtmp.example.com:1935/live',
      playback: 'https://fra-cdn.example.com:4600/hls',
      base: 'https://fra-cdn.example.com:4600',
    });
    expect(formatBaseUrls(domain, { host: '::', httpPort: 443, rtmpPort: 443, hasTls: true })).toEqual({
      ingest: 'rtmps://fra-rtmp.example.com/live',
      playback: 'https://fra-cdn.example.com/hls',
      base: 'https://fra-cdn.example.com',
    });
  });

  test.each([
    ['127.0.0.1', '', '127.0.0.1'],
    ['localhost', '', 'localhost'],
    ['::', '', '[::1]'],
    ['192.168.1.5', 's', '192.168.1.5'],
    ['fd00::1', 's', '[fd00::1]'],
    ['live.example.com', 's', 'live.example.com'],
  ])('with TLS but no domain are encrypted beyond loopback: bound to %s', (host, s, shown) => {
    expect(formatBaseUrls({ regionCode: 'fra' }, { ...address, host, hasTls: true })).toEqual({
      ingest: `rtmp${s}://${shown}:1935/live`,
      playback: `http${s}://${shown}:4600/hls`,
      base: `http${s}://${shown}:4600`,
    });
  });
});
