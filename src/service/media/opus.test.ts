import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { formatInitSegment } from './fmp4-init.ts';
import { findBox, readBoxes } from './fmp4-reader.ts';
import { MediaFormatError } from './media-format-error.ts';
import { formatSilentPacket, measureOpusPacket, parseOpusHead } from './opus.ts';
import { opusFormat } from './opus-format.ts';

/** libopus headers, via ffmpeg: mono, and 5.1 in Vorbis order with four streams, two of them stereo. */
const mono = Buffer.from('4f707573486561640101380180bb0000000000', 'hex');
const surround = Buffer.from('4f707573486561640106380180bb000000000104020004010203' + '05', 'hex');

describe('parseOpusHead', () => {
  it('reads mono and mapped channels', () => {
    expect(parseOpusHead(mono)).toEqual({
      record: mono,
      channels: 1,
      preSkip: 312,
      inputRateHz: 48_000,
      outputGain: 0,
      mapping: { family: 0, streams: 1, coupled: 0, table: undefined },
    });
    expect(parseOpusHead(surround)).toMatchObject({
      channels: 6,
      mapping: { family: 1, streams: 4, coupled: 2, table: Buffer.from('000401020305', 'hex') },
    });
  });

  it('reads a negative gain', () => {
    const quiet = Buffer.from(mono);
    quiet.writeInt16LE(-256, 16);
    expect(parseOpusHead(quiet).outputGain).toBe(-256);
    expect(readDecoderBox(quiet).toString('hex')).toBe('0001' + '0138' + '0000bb80' + 'ff00' + '00');
  });

  it('reads channels without defined meaning, more than a layout has, of which some are silent', () => {
    const table = 'ff' + '0001020304050607';
    const discrete = Buffer.from(`4f707573486561640109380180bb00000000ff0404${table}`, 'hex');
    expect(parseOpusHead(discrete)).toMatchObject({
      channels: 9,
      mapping: { family: 255, streams: 4, coupled: 4, table: Buffer.from(table, 'hex') },
    });
  });

  it.each([
    ['nothing', '', 'The Opus configuration is not an OpusHead.'],
    ['another magic', '4f707573546167730101380180bb0000000000', 'The Opus configuration is not an OpusHead.'],
    ['an incompatible version', '4f707573486561641001380180bb0000000000', 'Opus configuration version 16 is unknown.'],
    ['no channel', '4f707573486561640100380180bb0000000000', 'Opus configuration has 0 channels.'],
    ['no mapped channel', '4f707573486561640100380180bb00000000010100', 'Opus configuration has 0 channels.'],
    ['three channels without a mapping', '4f707573486561640103380180bb0000000000', 'Opus configuration has 3 channels.'],
    [
      'more channels than a layout has',
      '4f707573486561640109380180bb00000000010900000102030405060708',
      'Opus configuration has 9 channels.',
    ],
    [
      'an undefined family',
      '4f707573486561640102380180bb0000000002' + '0200' + '0001',
      'Opus channel mapping family 2 is not supported.',
    ],
    ['a truncated mapping', surround.toString('hex', 0, 24), 'Opus configuration ends inside its channel mapping.'],
    [
      'no stream',
      '4f707573486561640101380180bb0000000001' + '0000' + 'ff',
      'Opus configuration maps channels to missing streams.',
    ],
    [
      'a channel of a missing stream',
      '4f707573486561640102380180bb0000000001' + '0100' + '0001',
      'Opus configuration maps channels to missing streams.',
    ],
    [
      'more pairs than streams',
      '4f707573486561640102380180bb0000000001' + '0102' + '0001',
      'Opus configuration maps channels to missing streams.',
    ],
  ])('rejects %s', (_name, hex, sentence) => {
    expect(() => parseOpusHead(Buffer.from(hex, 'hex'))).toThrow(new MediaFormatError(sentence));
  });

  it('throws only MediaFormatError, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        try {
          parseOpusHead(Buffer.concat([mono.subarray(0, 8), bytes]));
        } catch (error) {
          expect(error).toBeInstanceOf(MediaFormatError);
        }
      }),
    );
  });
});

/** The content of `dOps` in the sample entry of an init segment. */
function readDecoderBox(record: Buffer): Buffer {
  const init = formatInitSegment({ audio: opusFormat.parseRecord(record) });
  const entry = readBoxes(findBox(init, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd')?.subarray(8) ?? Buffer.alloc(0))[0];
  expect([entry?.type, entry?.content.readUInt16BE(16), entry?.content.readUInt32BE(24)]).toEqual([
    'Opus',
    record.readUInt8(9),
    48_000 * 65_536,
  ]);
  return findBox(entry?.content.subarray(28) ?? Buffer.alloc(0), 'dOps') ?? Buffer.alloc(0);
}

test('the sample entry has the fields of the ID header, big-endian', () => {
  expect(readDecoderBox(mono).toString('hex')).toBe('0001' + '0138' + '0000bb80' + '0000' + '00');
  expect(readDecoderBox(surround).toString('hex')).toBe('0006' + '0138' + '0000bb80' + '0000' + '01' + '0402' + '000401020305');
});

test('the ID header is restored from the boxes of a sample entry', () => {
  for (const record of [mono, surround]) {
    const boxes = readBoxes(opusFormat.formatConfigBox(opusFormat.parseRecord(record)));
    expect(opusFormat.findRecord(boxes)).toEqual(record);
  }
  expect(opusFormat.findRecord([])).toBeUndefined();
});

test.each([
  ['SILK of 10 ms', '00', 480],
  ['SILK of 60 ms', '58', 2880],
  ['hybrid of 20 ms', '68', 960],
  ['CELT of 2.5 ms', '80', 120],
  ['CELT of 20 ms', 'f8', 960],
  ['two frames of one size', 'f9', 1920],
  ['two frames', 'fa', 1920],
  ['six frames', 'fb06', 5760],
  ['48 of 2.5 ms', '83f0', 5760],
])('the duration of a packet with %s', (_name, hex, samples) => {
  expect(measureOpusPacket(Buffer.from(hex, 'hex'))).toBe(samples);
});

test.each([
  ['nothing', ''],
  ['no frame', 'fb00'],
  ['no number of frames', 'fb'],
  ['more than 120 ms', 'fb07'],
])('a packet with %s is malformed', (_name, hex) => {
  expect(() => measureOpusPacket(Buffer.from(hex, 'hex'))).toThrow(MediaFormatError);
});

test('silence is 20 ms of every stream', () => {
  expect(formatSilentPacket(parseOpusHead(mono)).toString('hex')).toBe('f8fffe');
  const silence = formatSilentPacket(parseOpusHead(surround));
  expect(silence.toString('hex')).toBe('f802fffe' + 'f802fffe' + 'f802fffe' + 'f8fffe');
  expect(measureOpusPacket(silence)).toBe(opusFormat.parseRecord(mono).samplesPerFrame);
});
