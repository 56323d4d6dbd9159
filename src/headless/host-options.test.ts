import { resolve } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { dataFolderPaths, defaultDataFolder } from '../service/lib/data-folder.ts';
import { SettingName } from '../shared/model/settings.ts';
import { parseHostOptions } from './host-options.ts';

afterEach(() => vi.unstubAllEnvs());

test('without options: the default folder, loopback, the OS keychain, and no explicit port', () => {
  expect(parseHostOptions([])).toEqual({
    dataFolder: defaultDataFolder(),
    host: '127.0.0.1',
    secrets: 'os',
    newStreamKeys: false,
    logLevel: 'info',
    json: false,
    givenSettings: { values: {}, sources: {} },
  });
});

test('secrets may be in a file, whose path is relative to here', () => {
  expect(parseHostOptions(['--secrets', 'file:/etc/tallylight/key']).secrets).toEqual({ file: resolve('/etc/tallylight/key') });
  expect(parseHostOptions(['--secrets', 'file:key']).secrets).toEqual({ file: resolve('key') });
});

test('--new-stream-keys has no environment variable, which would repeat it at each start', () => {
  vi.stubEnv('TALLYLIGHT_NEW_STREAM_KEYS', 'true');
  expect(parseHostOptions([]).newStreamKeys).toBe(false);
  expect(parseHostOptions(['--new-stream-keys']).newStreamKeys).toBe(true);
});

test('every option is read, and a folder is relative to here', () => {
  const args = [
    '--data-dir',
    'data',
    '--http-port',
    '0',
    '--rtmp-port',
    '65535',
    '--host',
    '::1',
    '--secrets',
    'memory',
    '--log-level',
    'debug',
    '--json',
  ];
  expect(parseHostOptions(args)).toEqual({
    dataFolder: resolve('data'),
    httpPort: 0,
    rtmpPort: 65_535,
    host: '::1',
    secrets: 'memory',
    newStreamKeys: false,
    logLevel: 'debug',
    json: true,
    givenSettings: {
      values: { rtmpPort: 65_535 },
      sources: { httpPort: { kind: 'option', name: '--http-port' }, rtmpPort: { kind: 'option', name: '--rtmp-port' } },
    },
  });
});

/** Each setting's option and variable, with a text and its value. */
const settings: [SettingName, string, string, string, unknown][] = [
  ['httpPort', '--http-port', 'TALLYLIGHT_HTTP_PORT', '8080', 8080],
  ['rtmpPort', '--rtmp-port', 'TALLYLIGHT_RTMP_PORT', '1936', 1936],
  ['regionCode', '--region', 'TALLYLIGHT_REGION', 'FRA', 'fra'],
  ['serviceDomain', '--service-domain', 'TALLYLIGHT_SERVICE_DOMAIN', 'live.example.com', 'live.example.com'],
  ['regions', '--regions', 'TALLYLIGHT_REGIONS', 'ber, jfk', [{ code: 'ber' }, { code: 'jfk' }]],
  [
    'regionNetworks',
    '--region-networks',
    'TALLYLIGHT_REGION_NETWORKS',
    '10.0.0.0/8 ber',
    [{ network: '10.0.0.0/8', region: 'ber' }],
  ],
  ['regionChoice', '--live-region', 'TALLYLIGHT_LIVE_REGION', 'JFK', 'jfk'],
  ['changesRegion', '--change-region', 'TALLYLIGHT_CHANGE_REGION', 'on', true],
  ['tlsCertificatePath', '--tls-cert', 'TALLYLIGHT_TLS_CERT', '/tls/cert.pem', resolve('/tls/cert.pem')],
  ['tlsKeyPath', '--tls-key', 'TALLYLIGHT_TLS_KEY', '/tls/key.pem', resolve('/tls/key.pem')],
  ['liveWindowSeconds', '--live-window', 'TALLYLIGHT_LIVE_WINDOW', '3600', 3600],
  ['partMs', '--part-length', 'TALLYLIGHT_PART_LENGTH', '500', 500],
  ['reconnectWindowSeconds', '--reconnect-window', 'TALLYLIGHT_RECONNECT_WINDOW', '70', 70],
  ['encoder', '--encoder', 'TALLYLIGHT_ENCODER', 'libx264', 'libx264'],
  ['lookahead', '--lookahead', 'TALLYLIGHT_LOOKAHEAD', 'on', true],
  ['loudnessTargetLufs', '--loudness-target', 'TALLYLIGHT_LOUDNESS_TARGET', '-23', -23],
];

test('every setting has an option and an environment variable', () => {
  expect(settings.map(([name]) => name)).toEqual(expect.arrayContaining([...SettingName.options]));
});

test.each(settings)('%s is set by %s, or else by %s', (name, option, variable, text, value) => {
  expect(parseHostOptions([option, text]).givenSettings).toEqual({
    values: { [name]: value },
    sources: { [name]: { kind: 'option', name: option } },
  });
  vi.stubEnv(variable, text);
  expect(parseHostOptions([]).givenSettings).toEqual({
    values: { [name]: value },
    sources: { [name]: { kind: 'environment', name: variable } },
  });
  vi.stubEnv(variable, 'x');
  expect(parseHostOptions([option, text]).givenSettings.sources).toEqual({ [name]: { kind: 'option', name: option } });
  vi.stubEnv(variable, '');
  expect(parseHostOptions([]).givenSettings).toEqual({ values: {}, sources: {} });
});

test.each([['--service-domain', ''], ['--service-domain=']])('an empty service domain clears a stored one: %j', (...args) => {
  expect(parseHostOptions(args).givenSettings).toEqual({
    values: { serviceDomain: '' },
    sources: { serviceDomain: { kind: 'option', name: '--service-domain' } },
  });
});

test('the environment sets the other options too, which options override', () => {
  vi.stubEnv('TALLYLIGHT_DATA_DIR', 'kept');
  vi.stubEnv('TALLYLIGHT_HOST', '::');
  vi.stubEnv('TALLYLIGHT_SECRETS', 'file:/key');
  vi.stubEnv('TALLYLIGHT_LOG_LEVEL', 'warn');
  expect(parseHostOptions([])).toEqual({
    dataFolder: resolve('kept'),
    host: '::',
    secrets: { file: resolve('/key') },
    newStreamKeys: false,
    logLevel: 'warn',
    json: false,
    givenSettings: { values: {}, sources: {} },
  });
  expect(parseHostOptions(['--log-level', 'silent', '--secrets', 'memory'])).toMatchObject({
    logLevel: 'silent',
    secrets: 'memory',
    newStreamKeys: false,
  });
});

/** The output for options that are refused. */
function readRefusal(...args: string[]): string {
  const error = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exit');
  });
  onTestFinished(() => void vi.restoreAllMocks());
  expect(() => parseHostOptions(args)).toThrow('exit');
  expect(exit).toHaveBeenCalledOnce();
  return error.mock.calls.map(([text]) => text).join('');
}

test.each(['', ' ', '~/tallylight', '~', '--json'])('a data folder that is a slip is refused: "%s"', (folder) => {
  expect(readRefusal('--data-dir', folder)).toBe(
    `error: option '--data-dir <folder>' argument '${folder}' is invalid. ${dataFolderPaths}\n`,
  );
});

test.each(['~/tallylight', '-x'])('a data folder from the environment that is a slip is refused: "%s"', (folder) => {
  vi.stubEnv('TALLYLIGHT_DATA_DIR', folder);
  expect(readRefusal()).toBe(
    `error: option '--data-dir <folder>' value '${folder}' from env 'TALLYLIGHT_DATA_DIR' is invalid. ${dataFolderPaths}\n`,
  );
  expect(parseHostOptions(['--data-dir', `./${folder}`]).dataFolder).toBe(resolve(folder));
});

test('a list says which of its entries is wrong, and how', () => {
  expect(readRefusal('--regions', 'ber, jfk http://jfk-rtmp.a.io/live https://ber-cdn.a.io/hls')).toBe(
    "error: option '--regions <list>' argument 'ber, jfk http://jfk-rtmp.a.io/live https://ber-cdn.a.io/hls' is invalid. " +
      'regions[1].urls.ingest: must be a URL like "rtmps://ber-rtmp.example.com/live", without a slash at its end. ' +
      'Use codes like ber, jfk, each with its ingest and playback URL if they are not made from the service domain.\n',
  );
});

test.each(['', ' ', '127.0.0.1:4600', '[::1]', 'http://127.0.0.1', 'a/b', 'fe80::1%eth0'])(
  'an address that no URL can have is not listened on: "%s"',
  (address) => {
    expect(readRefusal('--host', address)).toBe(
      `error: option '--host <address>' argument '${address}' is invalid. ` +
        'Use an address or a name of this computer, such as 127.0.0.1, or 0.0.0.0 for all its addresses.\n',
    );
  },
);

test.each([
  ['0', '0.0.0.0'],
  ['::0', '::'],
  ['127.1', '127.0.0.1'],
  ['LocalHost', 'localhost'],
  ['studio.example.com', 'studio.example.com'],
])('the address %s is listened on as URLs have it: %s', (text, address) => {
  expect(parseHostOptions(['--host', text]).host).toBe(address);
  vi.stubEnv('TALLYLIGHT_HOST', text);
  expect(parseHostOptions([]).host).toBe(address);
});

test('files for TLS are relative to here', () => {
  expect(parseHostOptions(['--tls-cert', 'cert.pem', '--tls-key', '']).givenSettings.values).toEqual({
    tlsCertificatePath: resolve('cert.pem'),
    tlsKeyPath: '',
  });
});
