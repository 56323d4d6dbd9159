import { resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { defaultDataFolder } from '../service/lib/data-folder.ts';
import { parseHostOptions } from './host-options.ts';

afterEach(() => vi.unstubAllEnvs());

test('without options: the default folder, loopback, the OS keychain, and no explicit port', () => {
  expect(parseHostOptions([])).toEqual({
    dataFolder: defaultDataFolder(),
    host: '127.0.0.1',
    secrets: 'os',
    logLevel: 'info',
    json: false,
  });
});

test('secrets may be in a file, whose path is relative to here', () => {
  expect(parseHostOptions(['--secrets', 'file:/etc/tallylight/key']).secrets).toEqual({ file: '/etc/tallylight/key' });
  expect(parseHostOptions(['--secrets', 'file:key']).secrets).toEqual({ file: resolve('key') });
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
    logLevel: 'debug',
    json: true,
  });
});

test('the environment can set the log level, which the option overrides', () => {
  vi.stubEnv('TALLYLIGHT_LOG_LEVEL', 'warn');
  expect(parseHostOptions([]).logLevel).toBe('warn');
  expect(parseHostOptions(['--log-level', 'silent']).logLevel).toBe('silent');
});
