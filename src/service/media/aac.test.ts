import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAacConfig } from './aac.ts';
import { MediaFormatError } from './media-format-error.ts';

const configs = [
  ['AAC-LC 44.1 kHz stereo', '1210', 'mp4a.40.2', 44100, 44100, [2, 2], 1024],
  ['AAC-LC 48 kHz mono, with ffmpeg saying there is no SBR', '118856e500', 'mp4a.40.2', 48000, 48000, [1, 1], 1024],
  ['AAC-LC 96 kHz, six channels', '1030', 'mp4a.40.2', 96000, 96000, [6, 6], 1024],
  ['AAC-LC with frames of 960 samples', '1194', 'mp4a.40.2', 48000, 48000, [2, 2], 960],
  ['AAC-LC at 47 999 Hz, written out', '17805dbf90', 'mp4a.40.2', 47999, 47999, [2, 2], 1024],
  [
    'AAC-LC with a front and a back pair and a subwoofer, as a program configuration',
    '118004c40500210000',
    'mp4a.40.2',
    48000,
    48000,
    [0, 5],
    1024,
  ],
  ['HE-AAC signalled hierarchically', '2b920800', 'mp4a.40.5', 22050, 44100, [2, 2], 1024],
  ['HE-AAC signalled compatibly', '139056e5a0', 'mp4a.40.5', 22050, 44100, [2, 2], 1024],
  ['HE-AAC v2 signalled hierarchically', 'eb8a0800', 'mp4a.40.29', 22050, 44100, [1, 2], 1024],
  ['HE-AAC v2 signalled compatibly', '138856e5a54880', 'mp4a.40.29', 22050, 44100, [1, 2], 1024],
] as const;

describe('parseAacConfig', () => {
  it.each(configs)(
    'reads %s',
    (_name, hex, codec, coreSampleRateHz, sampleRateHz, [channelConfiguration, channels], samplesPerFrame) => {
      const config = Buffer.from(hex, 'hex');
      const expected = {
        record: config,
        codec,
        coreSampleRateHz,
        sampleRateHz,
        channels,
        channelConfiguration,
        samplesPerFrame,
      };
      expect(parseAacConfig(config)).toEqual(expected);
    },
  );

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
