import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAacConfig } from './aac.ts';
import { aacFormat } from './aac-format.ts';
import { BitWriter } from './bit-writer.ts';
import { MediaFormatError } from './media-format-error.ts';

const configs = [
  ['AAC-LC 44.1 kHz stereo', '1210', 'mp4a.40.2', [4, 44100], 44100, [2, 2], 1024],
  ['AAC-LC 48 kHz mono, with ffmpeg saying there is no SBR', '118856e500', 'mp4a.40.2', [3, 48000], 48000, [1, 1], 1024],
  ['AAC-LC 96 kHz, six channels', '1030', 'mp4a.40.2', [0, 96000], 96000, [6, 6], 1024],
  ['AAC-LC with frames of 960 samples', '1194', 'mp4a.40.2', [3, 48000], 48000, [2, 2], 960],
  ['AAC-LC at 47 999 Hz, written out', '17805dbf90', 'mp4a.40.2', [15, 47999], 47999, [2, 2], 1024],
  [
    'AAC-LC with a front and a back pair and a subwoofer, as a program configuration',
    '118004c40500210000',
    'mp4a.40.2',
    [3, 48000],
    48000,
    [0, 5],
    1024,
  ],
  ['HE-AAC signalled hierarchically', '2b920800', 'mp4a.40.5', [7, 22050], 44100, [2, 2], 1024],
  ['HE-AAC signalled compatibly', '139056e5a0', 'mp4a.40.5', [7, 22050], 44100, [2, 2], 1024],
  ['HE-AAC v2 signalled hierarchically', 'eb8a0800', 'mp4a.40.29', [7, 22050], 44100, [1, 2], 1024],
  ['HE-AAC v2 signalled compatibly', '138856e5a54880', 'mp4a.40.29', [7, 22050], 44100, [1, 2], 1024],
] as const;

describe('parseAacConfig', () => {
  it.each(configs)('reads %s', (_name, hex, codec, coreRate, sampleRateHz, channelCounts, samplesPerFrame) => {
    const config = Buffer.from(hex, 'hex');
    const [sampleRateIndex, coreSampleRateHz] = coreRate;
    const [channelConfiguration, channels] = channelCounts;
    const expected = {
      record: config,
      codec,
      coreSampleRateHz,
      sampleRateIndex,
      sampleRateHz,
      channels,
      channelConfiguration,
      samplesPerFrame,
    };
    expect(parseAacConfig(config)).toEqual(expected);
  });

  /** The start of a configuration of 48 kHz, up to the fields that depend on the object type. */
  const begin = (objectType: number, channelConfiguration: number) => {
    const writer = new BitWriter();
    if (objectType < 31) writer.bits(objectType, 5);
    else writer.bits(31, 5).bits(objectType - 32, 6);
    return writer.bits(3, 4).bits(channelConfiguration, 4);
  };
  const plain = (writer: BitWriter) => writer.flag(false).flag(false).flag(false);
  /** SBR with an output rate of 96 kHz, appended where old decoders do not look. */
  const appendExtension = (writer: BitWriter) => writer.bits(0x2b7, 11).bits(5, 5).flag(true).bits(0, 4);
  const read = (writer: BitWriter) => {
    const { codec, sampleRateHz, channels } = parseAacConfig(writer.toBuffer());
    return [codec, sampleRateHz, channels];
  };

  it('knows the object types 1 to 4, and no others', () => {
    const codecs = [1, 2, 3, 4].map((type) => parseAacConfig(plain(begin(type, 2)).toBuffer()).codec);
    expect(codecs).toEqual(['mp4a.40.1', 'mp4a.40.2', 'mp4a.40.3', 'mp4a.40.4']);
    for (const type of [0, 6, 17, 34, 42, 60]) {
      expect(() => read(plain(begin(type, 2)))).toThrow(new MediaFormatError(`AAC object type ${type} is not supported.`));
    }
    // Type 5 around no other.
    for (const type of [0, 5]) expect(() => read(plain(begin(5, 2).bits(0, 4).bits(type, 5)))).toThrow(MediaFormatError);
  });

  it('counts the channels of each channel configuration', () => {
    const counts = [0, 1, 2, 3, 4, 5, 6, 8, 0, 0, 0, 7, 8, 24, 8, 0];
    for (const [index, count] of counts.entries()) {
      if (count > 0) expect([index, read(plain(begin(2, index)))]).toEqual([index, ['mp4a.40.2', 48_000, count]]);
      else expect(() => read(plain(begin(2, index)))).toThrow(MediaFormatError);
    }
  });

  it('takes rates of 1 to 192 kHz', () => {
    const rate = (hertz: number) => plain(new BitWriter().bits(2, 5).bits(15, 4).bits(hertz, 24).bits(2, 4));
    for (const hertz of [1_000, 192_000]) expect(read(rate(hertz))).toEqual(['mp4a.40.2', hertz, 2]);
    for (const hertz of [999, 192_001]) expect(() => read(rate(hertz))).toThrow(MediaFormatError);
    for (const index of [13, 14])
      expect(() => read(plain(new BitWriter().bits(2, 5).bits(index, 4).bits(2, 4)))).toThrow(MediaFormatError);
  });

  it('reads the extension that follows a core coder', () => {
    expect(read(appendExtension(begin(2, 2).flag(false).flag(true).bits(0x1234, 14).flag(false)))).toEqual([
      'mp4a.40.5',
      96_000,
      2,
    ]);
  });

  it('reads the extension that follows a program configuration, whatever that has', () => {
    const writer = plain(begin(2, 0)).bits(7, 4).bits(1, 2).bits(3, 4);
    // Elements: two in front, one at the sides, two at the back, one subwoofer, two with data, three that couple.
    writer.bits(2, 4).bits(1, 4).bits(2, 4).bits(1, 2).bits(2, 3).bits(3, 4);
    // Mixed to mono, to stereo, and by a matrix.
    writer.flag(true).bits(9, 4).flag(true).bits(9, 4).flag(true).bits(5, 3);
    // A centre and a pair in front; pairs at the sides and the back, and one at the back.
    for (const isPair of [false, true, true, true, false]) writer.flag(isPair).bits(9, 4);
    writer.bits(9, 4).bits(0x99, 8).bits(0x7bde, 15);
    // These were 113 bits; up to the next whole byte, and a comment.
    writer.bits(0, 7).bits(3, 8).bits(0x414243, 24);
    expect(read(appendExtension(writer))).toEqual(['mp4a.40.5', 96_000, 9]);
  });

  it.each<[string, (writer: BitWriter) => BitWriter, string, number]>([
    ['nothing', (writer) => writer, 'mp4a.40.2', 48_000],
    ['zeros', (writer) => writer.bits(0, 32), 'mp4a.40.2', 48_000],
    ['a sync word of no SBR', (writer) => writer.bits(0x2b7, 11).bits(6, 5).flag(true).bits(0, 4), 'mp4a.40.2', 48_000],
    ['SBR that is not there', (writer) => writer.bits(0x2b7, 11).bits(5, 5).flag(false), 'mp4a.40.2', 48_000],
    ['SBR', appendExtension, 'mp4a.40.5', 96_000],
    ['SBR and something else', (writer) => appendExtension(writer).bits(0x549, 11).flag(true), 'mp4a.40.5', 96_000],
    ['SBR and no parametric stereo', (writer) => appendExtension(writer).bits(0x548, 11).flag(false), 'mp4a.40.5', 96_000],
    ['SBR and parametric stereo', (writer) => appendExtension(writer).bits(0x548, 11).flag(true), 'mp4a.40.29', 96_000],
  ])('takes what follows for an extension only if it is one: %s', (_, write, codec, rate) => {
    expect(read(write(plain(begin(2, 2))))).toEqual([codec, rate, 2]);
  });

  it('copies the configuration, since it may be a view of a socket buffer', () => {
    const bytes = Buffer.from('1210', 'hex');
    const { record } = parseAacConfig(bytes);
    bytes.fill(0);
    expect(record.toString('hex')).toBe('1210');
  });

  it.each([
    ['nothing', ''],
    ['one byte', '12'],
    ['object type 42, which needs the escape value', 'f94a2000'],
    ['object type 5 around object type 6', '2b921800'],
    ['a reserved sample rate', '1690'],
    ['a sample rate of 1 Hz', '178000009000'],
    ['a reserved channel configuration', '11c8'],
    ['a program configuration without a channel', '118004c000000000'],
  ])('rejects %s', (_name, hex) => {
    expect(() => parseAacConfig(Buffer.from(hex, 'hex'))).toThrow(MediaFormatError);
  });

  it('throws only MediaFormatError, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 24 }), (bytes) => {
        try {
          const { channels, coreSampleRateHz } = parseAacConfig(Buffer.from(bytes));
          expect(channels * coreSampleRateHz).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(MediaFormatError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

it.each([
  ['stereo', '1210', true],
  ['mono, with ffmpeg saying there is no SBR', '118856e500', true],
  ['six channels', '1030', true],
  ['eight channels as of configuration 7', '11b8', true],
  ['channels described element by element', '118004c40500210000', false],
  ['channel configuration 11', '11d8', false],
  ['channel configuration 12', '11e0', false],
  ['frames of 960 samples', '1194', false],
  ['a usual rate that is written out', '17805dc010', false],
  ['HE-AAC', '139056e5a0', false],
])('AAC plays everywhere if Chromium can describe it in an ADTS header: %s', (_name, hex, plays) => {
  expect(aacFormat.playsEverywhere(aacFormat.parseRecord(Buffer.from(hex, 'hex')))).toBe(plays);
});
