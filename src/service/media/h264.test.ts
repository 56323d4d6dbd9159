import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseH264Config, surveyNalUnits } from './h264.ts';
import { h264Format } from './h264-format.ts';
import { MediaFormatError } from './media-format-error.ts';
import { isDisposable, withLengthPrefix } from './nal-unit.ts';

const square = { horizontal: 1, vertical: 1 };

/** x264's defaults. */
const coding = {
  sequenceId: 0,
  frameNumBits: 4,
  orderType: 0,
  orderBits: 6,
  orderDeltaAbsent: false,
  maxReferenceFrames: 4,
  separatePlanes: false,
  chromaFormat: 1,
  framesOnly: true,
  adaptiveFields: false,
};

// Written by x264 for these sizes.
const records = [
  {
    name: '1080p, cropped from 1088 lines, fixed 30 fps',
    hex: '01640028ffe1001b67640028acd940780227e5c044000003000400000300f23c60c65801000668ebe3cb22c0fdf8f800',
    is: {
      width: 1920,
      height: 1080,
      sampleAspect: square,
      fps: 30,
      nominalFps: 30,
      codec: 'avc1.640028',
      coding: { ...coding, macroblocks: 120 * 68 },
    },
  },
  {
    name: '720p Main, no fixed rate',
    hex: '014d401fffe10019674d401feca02802dd80880000030008000003019078c18cb001000568ebe3cb20',
    is: {
      width: 1280,
      height: 720,
      sampleAspect: square,
      nominalFps: 25,
      codec: 'avc1.4d401f',
      coding: { ...coding, macroblocks: 80 * 45 },
    },
  },
  {
    name: 'PAL, interlaced, 16:11 samples',
    hex: '0164001effe100186764001eacd940b424d8208000000300800000194f8a14cb01000668fba3cb22c0fdf8f800',
    is: {
      width: 720,
      height: 576,
      sampleAspect: { horizontal: 16, vertical: 11 },
      fps: 25,
      nominalFps: 25,
      codec: 'avc1.64001e',
      coding: { ...coding, framesOnly: false, adaptiveFields: true, macroblocks: 45 * 36 },
    },
  },
  {
    name: 'Baseline with an explicit sample aspect of 7:5',
    hex: '0142c01effe1001d6742c01ed900a02ff97ff000700051000003000100000300320f162e4801000568cb83cb20',
    is: {
      width: 640,
      height: 360,
      sampleAspect: { horizontal: 7, vertical: 5 },
      nominalFps: 25,
      codec: 'avc1.42c01e',
      coding: { ...coding, orderType: 2, orderBits: 0, maxReferenceFrames: 3, macroblocks: 40 * 23 },
    },
  },
  {
    name: '4:4:4 with scaling lists, cropped by single samples, 29.97 fps',
    hex: '01f4000dffe1001967f4000d919b282a10f1f1f808800001f480007530478a14cb01000868ebe3c44c000440fff8f800',
    is: {
      width: 322,
      height: 242,
      sampleAspect: square,
      fps: 30000 / 1001,
      nominalFps: 30000 / 1001,
      codec: 'avc1.f4000d',
      coding: { ...coding, chromaFormat: 3, macroblocks: 21 * 16 },
    },
  },
  {
    name: '4:2:2, cropped',
    hex: '017a0016ffe1001b677a0016bcd9415087888fc044000003000400000301e03c58b65801000768ebe3cb3002c0fef8f800',
    is: {
      width: 322,
      height: 242,
      sampleAspect: square,
      nominalFps: 60,
      codec: 'avc1.7a0016',
      coding: { ...coding, chromaFormat: 2, macroblocks: 21 * 16 },
    },
  },
  {
    name: 'monochrome, cropped',
    hex: '01640016ffe1001a67640016f36505421e3e3f016c80000003008000003c078b16cb01000668ebe3cb22c0fcf8f800',
    is: {
      width: 322,
      height: 242,
      sampleAspect: square,
      nominalFps: 60,
      codec: 'avc1.640016',
      coding: { ...coding, chromaFormat: 0, macroblocks: 21 * 16 },
    },
  },
];

describe('parseH264Config', () => {
  it.each(records)('reads $name', ({ hex, is }) => {
    const record = Buffer.from(hex, 'hex');
    expect(parseH264Config(record)).toEqual({ ...is, record, nalLengthBytes: 4 });
  });

  it('copies the record, since it may be a view of a socket buffer', () => {
    const bytes = Buffer.from(records[0]?.hex ?? '', 'hex');
    const { record } = parseH264Config(bytes);
    bytes.fill(0);
    expect(record.toString('hex')).toBe(records[0]?.hex);
  });

  it('treats broken usability information as absent', () => {
    const record = Buffer.from('014d401fffe1000c674d401feca02802dd80880001000568ebe3cb20', 'hex');
    expect(parseH264Config(record)).toMatchObject({ width: 1280, height: 720, sampleAspect: square });
  });

  it.each([
    ['nothing', ''],
    ['no SPS', '01640028ffe00100026800'],
    ['no PPS', '014d401fffe10019674d401feca02802dd80880000030008000003019078c18cb000'],
    ['a truncated SPS', '014d401fffe10006674d401feca001000168'],
    ['a PPS instead of the SPS', '014d401fffe10005680000000001000168'],
  ])('rejects %s', (_name, hex) => {
    expect(() => parseH264Config(Buffer.from(hex, 'hex'))).toThrow(MediaFormatError);
  });

  it.each([
    ['another version', (record: Buffer) => record.writeUInt8(2, 0), 'AVC configuration version 2 is unknown.'],
    [
      'prefixes of 3 bytes',
      (record: Buffer) => record.writeUInt8(0xfe, 4),
      'AVC configuration has length prefixes of 3 bytes.',
    ],
    ['a longer SPS', (record: Buffer) => record.writeUInt8(0xff, 7), 'AVC configuration ends inside a parameter set.'],
    ['another SPS', (record: Buffer) => record.writeUInt8(0xe2, 5), 'AVC configuration ends inside a parameter set.'],
  ])('rejects a record that is whole but for %s', (_name, change, sentence) => {
    const record = Buffer.from(records[0]?.hex ?? '', 'hex');
    change(record);
    expect(() => parseH264Config(record)).toThrow(new MediaFormatError(sentence));
  });

  it('throws only MediaFormatError on any change of a record', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...records),
        fc.array(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 }),
        fc.nat({ max: 60 }),
        ({ hex }, changes, lengthBytes) => {
          const bytes = Buffer.from(hex, 'hex').subarray(0, Math.max(lengthBytes, 20));
          for (const [position, value] of changes) bytes[position] = value;
          try {
            const { width, height } = parseH264Config(bytes);
            expect(width * height).toBeGreaterThan(0);
          } catch (error) {
            expect(error).toBeInstanceOf(MediaFormatError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('surveyNalUnits', () => {
  it('distinguishes complete NAL units from broken ones, for each prefix length', () => {
    const whole = (hex: string, bytes: 1 | 2 | 4) => surveyNalUnits(Buffer.from(hex, 'hex'), bytes) !== undefined;
    expect(whole('0000000265aa0000000141', 4)).toBe(true);
    expect(whole('000265aa', 2)).toBe(true);
    expect(whole('0165', 1)).toBe(true);
    expect(whole('', 4)).toBe(false);
    expect(whole('0000000365aa', 4)).toBe(false);
    expect(whole('0000000165aa', 4)).toBe(false);
    expect(whole('ffffffff65aa', 4)).toBe(false);
  });

  it('detects pictures, IDR pictures and supplemental messages', () => {
    const survey = (hex: string) => surveyNalUnits(Buffer.from(hex, 'hex'), 1);
    expect(survey('0141')).toEqual({ hasPicture: true, isIdr: false, hasMessages: false, hasEmptyUnits: false });
    expect(survey('0165')).toEqual({ hasPicture: true, isIdr: true, hasMessages: false, hasEmptyUnits: false });
    expect(survey('0209f00206050165')).toEqual({ hasPicture: true, isIdr: true, hasMessages: true, hasEmptyUnits: false });
    expect(survey('0209f0020605')).toEqual({ hasPicture: false, isIdr: false, hasMessages: true, hasEmptyUnits: false });
    expect(survey('000165')).toEqual({ hasPicture: true, isIdr: true, hasMessages: false, hasEmptyUnits: true });
  });
});

it('a sequence may be interlaced unless all of it is coded as frames', () => {
  const interlaced = records.filter(({ hex }) => h264Format.parseRecord(Buffer.from(hex, 'hex')).mayBeInterlaced);
  expect(interlaced.map(({ name }) => name)).toEqual(['PAL, interlaced, 16:11 samples']);
});

it('a frame that no other refers to is disposable, whatever comes before its slices', () => {
  const unit = (...nals: number[][]) => Buffer.concat(nals.map((bytes) => withLengthPrefix(Buffer.from(bytes), 4)));
  const [sei, reference, disposable] = [
    [0x06, 5, 1, 0x80],
    [0x41, 0x9a, 1],
    [0x01, 0x9a, 1],
  ];
  expect([unit(sei, reference), unit(sei, disposable), unit(sei)].map((data) => isDisposable(data, 4))).toEqual([
    false,
    true,
    false,
  ]);
});
