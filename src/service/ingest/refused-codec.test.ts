import { expect, test } from 'vitest';
import { findRefusedCodec } from './refused-codec.ts';

function find(kind: 'audio' | 'video' | 'script', ...body: (number | string)[]): string | undefined {
  const bytes = body.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : [part]));
  return findRefusedCodec({ kind, timestampMs: 0, body: Buffer.from(bytes) });
}

test('H.264, AAC, script and empty tags are carried', () => {
  expect([
    find('video', 0x17, 0),
    find('video', 0x27),
    find('audio', 0xaf),
    find('script', 2),
    find('video'),
    find('audio'),
  ]).toEqual(Array(6).fill(undefined));
});

test.each([
  ['Sorenson H.263', 0x12],
  ['Screen video', 0x13],
  ['VP6', 0x14],
  ['VP6', 0x15],
  ['Screen video 2', 0x16],
  ['H.263', 0x18],
  ['MPEG-4 Part 2', 0x19],
  ['HEVC', 0x1c],
  ['AV1', 0x1d],
  ['Codec 15', 0x1f],
])('%s video, first byte %i, is named', (name, first) => {
  expect(find('video', first)).toBe(`${name} video is not carried; choose H.264 in the encoder's settings.`);
});

test.each([
  ['HEVC', 'hvc1'],
  ['AV1', 'av01'],
  ['VP9', 'vp09'],
  ['VP8', 'vp08'],
  ['VVC', 'vvc1'],
  ['Enhanced RTMP H.264', 'avc1'],
  ['Enhanced RTMP', '????'],
  ['Enhanced RTMP', ''],
])('%s video in Enhanced RTMP, %s, is named', (name, fourCc) => {
  expect(find('video', 0x90, fourCc)).toBe(`${name} video is not carried; choose H.264 in the encoder's settings.`);
});

test.each([
  ['PCM', 0x0f],
  ['ADPCM', 0x1f],
  ['MP3', 0x2f],
  ['PCM', 0x3f],
  ['Nellymoser', 0x4f],
  ['Nellymoser', 0x5f],
  ['Nellymoser', 0x6f],
  ['G.711 A-law', 0x7f],
  ['G.711 mu-law', 0x8f],
  ['Speex', 0xbf],
  ['Format 12', 0xcf],
  ['MP3', 0xef],
])('%s audio, first byte %i, is named', (name, first) => {
  expect(find('audio', first)).toBe(`${name} audio is not carried; choose AAC in the encoder's settings.`);
});

test.each([
  ['Opus', 'Opus'],
  ['FLAC', 'fLaC'],
  ['AC-3', 'ac-3'],
  ['E-AC-3', 'ec-3'],
  ['MP3', '.mp3'],
  ['Enhanced RTMP AAC', 'mp4a'],
])('%s audio in Enhanced RTMP, %s, is named', (name, fourCc) => {
  expect(find('audio', 0x90, fourCc)).toBe(`${name} audio is not carried; choose AAC in the encoder's settings.`);
});
