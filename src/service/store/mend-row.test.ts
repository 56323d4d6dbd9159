import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../shared/model/profile.ts';
import { mendRow } from './mend-row.ts';

const profiles = JSON.stringify(recommendedProfiles);
const multistream = JSON.stringify({ targets: [{ id: 'one', profile: 'source' }] });
const stream = { seq: 1n, key_hash: Buffer.from('hash'), profiles, multistream, end_reason: 'stopped' };
const pairs = JSON.stringify([{ ingest: 'rtmp://live.example.com', playback: 'https://live.example.com/hls' }]);
const service = { id: 'r', base_url: 'https://live.example.com/api', pairs };

test('a row that can be read stays as it is', () => {
  expect(mendRow('stream', stream)).toEqual(stream);
  expect(mendRow('stream', { ...stream, profiles: null, multistream: null })?.profiles).toBe(null);
  expect(mendRow('remote_service', service)).toEqual(service);
  const setting = { name: 'settings.partMs', value: 'any text' };
  expect(mendRow('setting', setting)).toEqual(setting);
});

test.each([
  ['profiles', profiles.slice(1)],
  ['profiles', profiles.replace('720p', '\u0000')],
  ['profiles', profiles.replace('720p', '\ufffd'.repeat(512))],
  ['profiles', 'null'],
  ['multistream', profiles],
])('a stream is kept without its %s if they are garbage: %#', (column, garbage) => {
  expect(mendRow('stream', { ...stream, [column]: garbage })).toEqual({ ...stream, [column]: null });
});

test('a remote service is kept without pairs that are garbage, but not without its address', () => {
  expect(mendRow('remote_service', { ...service, pairs: '[{}]' })).toEqual({ ...service, pairs: '[]' });
  for (const base_url of ['https://live.exam\ufffd\ufffd le', ' https://live.example.com', 'http://live.example.com', '']) {
    expect(mendRow('remote_service', { ...service, base_url })).toBe(undefined);
  }
});

test('a number that JavaScript or a date cannot hold becomes 0', () => {
  const mend = (revoked_at: bigint) => mendRow('api_key', { id: 'k', revoked_at })?.revoked_at;
  const last = 8_640_000_000_000_000n;
  expect([0n, 1n, last].map(mend)).toEqual([0n, 1n, last]);
  expect([-1n, last + 1n, 2n ** 63n - 1n, -(2n ** 63n)].map(mend)).toEqual([0n, 0n, 0n, 0n]);
});
