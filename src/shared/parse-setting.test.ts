import { expect, test } from 'vitest';
import type { SettingName } from './model/settings.ts';
import { parseSetting } from './parse-setting.ts';

/** For each setting: texts with the values they mean, and texts that are refused. */
const texts: Record<SettingName, { read: [string, unknown][]; refused: string[] }> = {
  httpPort: { read: [['4600', 4600]], refused: ['', '0', '65536', '1e3', '-1', '80.5', '0x50'] },
  rtmpPort: { read: [[' 1935 ', 1935]], refused: ['port'] },
  regionCode: { read: [['FRA', 'fra']], refused: ['', 'frankfurt', 'f1a'] },
  serviceDomain: {
    read: [
      ['Live.Example.com', 'live.example.com'],
      ['', ''],
    ],
    refused: ['localhost', 'https://example.com', 'example.com:443', '-a.com'],
  },
  tlsCertificatePath: {
    read: [
      ['/tls/cert.pem', '/tls/cert.pem'],
      [' C:\\tls\\cert.pem', 'C:\\tls\\cert.pem'],
      ['', ''],
    ],
    refused: ['cert.pem', './cert.pem'],
  },
  tlsKeyPath: { read: [['//nas/key.pem', '//nas/key.pem']], refused: ['key.pem'] },
  reconnectWindowSeconds: { read: [['75', 75]], refused: ['4', '76'] },
  liveWindowSeconds: { read: [['14400', 14_400]], refused: ['59', '14401'] },
  partMs: { read: [['100', 100]], refused: ['99', '1001', '200ms'] },
  encoder: { read: [['h264_nvenc', 'h264_nvenc']], refused: ['', 'x264', 'H264_NVENC'] },
  lookahead: {
    read: [
      ['on', true],
      ['off', false],
    ],
    refused: ['', 'true', 'ON'],
  },
};

test.each(Object.entries(texts) as [SettingName, (typeof texts)[SettingName]][])(
  '%s is read from text, and a value it cannot have is refused',
  (name, { read, refused }) => {
    expect(read.map(([text]) => [text, parseSetting(name, text)])).toEqual(read);
    expect(refused.filter((text) => parseSetting(name, text) !== undefined)).toEqual([]);
  },
);
