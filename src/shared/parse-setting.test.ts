import { expect, test } from 'vitest';
import type { SettingName } from './model/settings.ts';
import { parseSetting } from './parse-setting.ts';

/** For each setting: texts with the values they mean, and texts that are refused. */
const texts: Record<SettingName, { read: [string, unknown][]; refused: string[] }> = {
  httpPort: { read: [['4600', 4600]], refused: ['', '0', '65536', '1e3', '-1', '80.5', '0x50', '6000', '10080'] },
  rtmpPort: {
    read: [
      [' 1935 ', 1935],
      ['6000', 6000],
    ],
    refused: ['port'],
  },
  regionCode: { read: [['FRA', 'fra']], refused: ['', 'frankfurt', 'f1a'] },
  serviceDomain: {
    read: [
      ['Live.Example.com', 'live.example.com'],
      ['', ''],
    ],
    refused: ['localhost', 'https://example.com', 'example.com:443', '-a.com'],
  },
  regions: {
    read: [
      ['', []],
      ['BER, jfk,', [{ code: 'ber' }, { code: 'jfk' }]],
      [
        'BER rtmp://a.io/live https://a.io/hls',
        [{ code: 'ber', urls: { ingest: 'rtmp://a.io/live', playback: 'https://a.io/hls', base: 'https://a.io' } }],
      ],
      [
        'ber rtmp://10.0.0.1:1935/live http://10.0.0.1:4600/hls\n jfk rtmps://jfk-rtmp.a.io/x https://jfk-cdn.a.io/v https://jfk-cdn.a.io/r',
        [
          {
            code: 'ber',
            urls: { ingest: 'rtmp://10.0.0.1:1935/live', playback: 'http://10.0.0.1:4600/hls', base: 'http://10.0.0.1:4600' },
          },
          {
            code: 'jfk',
            urls: {
              ingest: 'rtmps://jfk-rtmp.a.io/x',
              playback: 'https://jfk-cdn.a.io/v',
              base: 'https://jfk-cdn.a.io/r',
            },
          },
        ],
      ],
    ],
    refused: [
      'berlin',
      'ber jfk',
      'ber, ber',
      'ber http://a.io/live https://a.io/hls',
      'ber rtmp://a.io/live ftp://a.io/hls',
      'ber rtmp://a.io/live',
      'ber rtmp://a.io/live/ https://a.io/hls',
      'ber rtmp://user@a.io/live https://a.io/hls',
      'ber rtmp://a.io/live https://a.io/hls?x',
      'ber rtmp://jfk-rtmp.a.io/live https://ber-cdn.a.io/hls',
      'ber rtmp://ber-rtmp.a.io/live https://JFK-cdn.a.io/hls',
      'ber rtmp://a.io/live https://a.io/hls https://b.io',
      'ber rtmp://a.io/live https://a.io/hls, jfk rtmp://a.io/live https://b.io/hls',
      'ber rtmp://a.io/live https://a.io/hls https://a.io more',
    ],
  },
  regionNetworks: {
    read: [
      ['', []],
      [
        '203.0.113.0/24 BER, 2001:db8::/32 jfk',
        [
          { network: '203.0.113.0/24', region: 'ber' },
          { network: '2001:db8::/32', region: 'jfk' },
        ],
      ],
    ],
    refused: [
      '203.0.113.7 ber',
      '10.0.0.0/33 ber',
      '::/129 ber',
      '10.0.0.0/8',
      '10.0.0.0/8 ber jfk',
      '10.0.0.0/8 ber, 10.0.0.0/8 jfk',
    ],
  },
  regionChoice: {
    read: [
      ['Automatic', 'automatic'],
      ['JFK', 'jfk'],
    ],
    refused: ['', 'nearest', 'j2k'],
  },
  changesRegion: { read: [['on', true]], refused: ['yes'] },
  tlsCertificatePath: {
    read: [
      ['/tls/cert.pem', '/tls/cert.pem'],
      [' C:\\tls\\cert.pem', 'C:\\tls\\cert.pem'],
      ['"C:\\tls\\cert.pem"', 'C:\\tls\\cert.pem'],
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
  loudnessTargetLufs: {
    read: [
      ['-30', -30],
      ['−23', -23],
      [' -9 ', -9],
    ],
    refused: ['', '-31', '-8', '16', '-16.5', '-', '--16'],
  },
};

test.each(Object.entries(texts) as [SettingName, (typeof texts)[SettingName]][])(
  '%s is read from text, and a value it cannot have is refused',
  (name, { read, refused }) => {
    expect(read.map(([text]) => [text, parseSetting(name, text)])).toEqual(read);
    expect(refused.filter((text) => parseSetting(name, text) !== undefined)).toEqual([]);
  },
);
