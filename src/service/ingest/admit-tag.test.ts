import { describe, expect, test } from 'vitest';
import { enhanceBody } from '../../../test/support/enhanced-flv.ts';
import { broadcast, videoFrame } from '../../../test/support/flv-builder.ts';
import { RtmpProtocolError } from '../rtmp/protocol-error.ts';
import { admitTag } from './admit-tag.ts';

function admit(kind: 'audio' | 'video' | 'script', ...body: (number | string)[]) {
  const bytes = body.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : [part]));
  return admitTag({ kind, timestampMs: 7, body: Buffer.from(bytes) });
}

function plain(kind: 'audio' | 'video', hex: string) {
  return { kind: 'plain', tag: { kind, timestampMs: 7, body: Buffer.from(hex, 'hex') } };
}

const refusedVideo = (name: string) => ({
  kind: 'refused',
  sentence: `${name} video is not carried; choose H.264 in the encoder's settings.`,
});
const refusedAudio = (name: string) => ({
  kind: 'refused',
  sentence: `${name} audio is not carried; choose AAC in the encoder's settings.`,
});

test('H.264, AAC, script and empty tags are admitted as they are', () => {
  for (const tag of [
    ...broadcast({ durationMs: 500, reorderMs: 40 }),
    { kind: 'script', timestampMs: 0, body: Buffer.from([2]) } as const,
    { kind: 'video', timestampMs: 0, body: Buffer.alloc(0) } as const,
    { kind: 'audio', timestampMs: 0, body: Buffer.alloc(0) } as const,
  ]) {
    expect(admitTag(tag)).toEqual({ kind: 'plain', tag });
  }
});

describe('in Enhanced RTMP', () => {
  test.each([0, 80, -40])(
    'H.264 and AAC come out under the headers of Flash Video, pictures shown %i ms later',
    (reorderMs) => {
      const tags = [...broadcast({ durationMs: 500 }), videoFrame(500, { compositionTimeMs: reorderMs })];
      for (const tag of tags) expect(admitTag({ ...tag, body: enhanceBody(tag) })).toEqual({ kind: 'plain', tag });
    },
  );

  test('each packet type of H.264 is what the specification says', () => {
    expect(admit('video', 0x90, 'avc1', 0xaa)).toEqual(plain('video', '1700000000aa'));
    expect(admit('video', 0x91, 'avc1', 0, 0, 0x42, 0xcc)).toEqual(plain('video', '1701000042cc'));
    expect(admit('video', 0xa1, 'avc1', 0xff, 0xff, 0xff, 0xcc)).toEqual(plain('video', '2701ffffffcc'));
    expect(admit('video', 0xa3, 'avc1', 0xcc)).toEqual(plain('video', '2701000000cc'));
    expect(admit('video', 0x92, 'avc1')).toEqual({ kind: 'nothing' });
    expect(admit('video', 0x94, 'avc1', 2)).toEqual({ kind: 'nothing' });
    expect(admit('video', 0xd4, 'avc1', 2)).toEqual({ kind: 'nothing' });
  });

  test('each packet type of AAC is what the specification says', () => {
    expect(admit('audio', 0x90, 'mp4a', 0x11, 0x90)).toEqual(plain('audio', 'af001190'));
    expect(admit('audio', 0x91, 'mp4a', 0x21)).toEqual(plain('audio', 'af0121'));
    expect(admit('audio', 0x92, 'mp4a')).toEqual({ kind: 'nothing' });
    expect(admit('audio', 0x94, 'mp4a', 1, 2, 0, 0, 0, 3)).toEqual({ kind: 'nothing' });
  });

  test.each([
    ['HEVC', 'hvc1'],
    ['AV1', 'av01'],
    ['VP9', 'vp09'],
    ['VP8', 'vp08'],
    ['VVC', 'vvc1'],
    ['Unknown Enhanced RTMP', '????'],
  ])('%s video, %s, is refused by name', (name, fourCc) => {
    expect(admit('video', 0x90, fourCc)).toEqual(refusedVideo(name));
  });

  test.each([
    ['Opus', 'Opus'],
    ['FLAC', 'fLaC'],
    ['AC-3', 'ac-3'],
    ['E-AC-3', 'ec-3'],
    ['MP3', '.mp3'],
    ['Unknown Enhanced RTMP', '????'],
  ])('%s audio, %s, is refused by name', (name, fourCc) => {
    expect(admit('audio', 0x90, fourCc)).toEqual(refusedAudio(name));
  });

  test('several tracks, and packets with extensions, are refused by name', () => {
    expect(admit('video', 0x96, 0x00, 'avc1', 0)).toEqual(refusedVideo('Multitrack'));
    expect(admit('video', 0x97, 0x02, 0, 0, 0, 0x01, 'avc1')).toEqual(refusedVideo('ModEx'));
    expect(admit('audio', 0x95, 0x00, 'mp4a', 0)).toEqual(refusedAudio('Multitrack'));
    expect(admit('audio', 0x97, 0x02, 0, 0, 0, 0x01, 'mp4a')).toEqual(refusedAudio('ModEx'));
  });
});

test('a command frame is nothing, in either header', () => {
  expect(admit('video', 0x57, 0)).toEqual({ kind: 'nothing' });
  expect(admit('video', 0xd1, 0)).toEqual({ kind: 'nothing' });
});

test.each([
  ['JPEG', 0x11],
  ['Sorenson H.263', 0x12],
  ['Screen video', 0x13],
  ['VP6', 0x14],
  ['VP6 with alpha', 0x15],
  ['Screen video 2', 0x16],
  ['H.263', 0x18],
  ['MPEG-4 Part 2', 0x19],
  ['HEVC', 0x1c],
  ['AV1', 0x1d],
  ['Codec 15', 0x1f],
])('%s video, first byte %i, is refused by name', (name, first) => {
  expect(admit('video', first)).toEqual(refusedVideo(name));
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
])('%s audio, first byte %i, is refused by name', (name, first) => {
  expect(admit('audio', first)).toEqual(refusedAudio(name));
});

test.each<[string, 'audio' | 'video', (number | string)[]]>([
  ['an AVC tag of four bytes', 'video', [0x17, 1, 0, 0]],
  ['an AAC tag of one byte', 'audio', [0xaf]],
  ['an extended video tag without a FourCC', 'video', [0x90, 'avc']],
  ['an extended audio tag without a FourCC', 'audio', [0x90]],
  ['coded frames that end in their composition time', 'video', [0x91, 'avc1', 0, 0]],
  ['an MPEG-2 TS sequence start, which H.264 has not', 'video', [0x95, 'avc1']],
  ['an audio packet type that is reserved', 'audio', [0x93, 'mp4a']],
])('%s breaks the protocol', (_, kind, body) => {
  expect(() => admit(kind, ...body)).toThrow(RtmpProtocolError);
});
