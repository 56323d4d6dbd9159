import { expect, test } from 'vitest';
import { formatBaseUrls } from './regions/base-urls.ts';
import { type ServiceInfoOptions, ServiceInfoSource } from './service-info.ts';

/** The info of a service that is bound to `host`. */
function infoOf(host: string) {
  const address = { host, httpPort: 4600, rtmpPort: 1935 };
  const settings = { regionCode: 'ber' };
  const own = { ...formatBaseUrls(settings, address), reach: formatBaseUrls(settings, address) };
  return new ServiceInfoSource({
    config: { version: '1.0.0', dataFolder: '/data' },
    secrets: { kind: 'os' },
    store: { settings: { get: () => settings }, notices: [] },
    tools: { current: { ffmpeg: { kind: 'missing', reason: { code: 'not-found' } } } },
    encoders: {},
    tls: { notices: [] },
    regions: { own: () => own, mediaOrigins: () => [] },
    movedPorts: [],
    address: () => address,
  } as unknown as ServiceInfoOptions).get();
}

test.each([
  ['127.0.0.1', undefined, 'http://127.0.0.1:4600/hls'],
  ['192.168.1.20', undefined, 'http://192.168.1.20:4600/hls'],
  ['0.0.0.0', true, 'http://127.0.0.1:4600/hls'],
  ['::', true, 'http://[::1]:4600/hls'],
])('bound to %s it says whether other computers reach it, too', (host, isOnAllAddresses, playbackBaseUrl) => {
  const info = infoOf(host);
  expect([info.isOnAllAddresses, info.playbackBaseUrl]).toEqual([isOnAllAddresses, playbackBaseUrl]);
});
