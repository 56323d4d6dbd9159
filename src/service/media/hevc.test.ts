import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { BitWriter } from './bit-writer.ts';
import { formatInitSegment } from './fmp4-init.ts';
import { findBox, readBoxes } from './fmp4-reader.ts';
import { inspectHevcPicture, parseHevcConfig } from './hevc.ts';
import { hevcFormat } from './hevc-format.ts';
import { parseHevcSps } from './hevc-sps.ts';
import { MediaFormatError } from './media-format-error.ts';

/** Records from x265, via ffmpeg. */
const records = [
  {
    name: 'Main at 320 by 180, cropped from 184 lines',
    hex:
      '0101600000009000000000003cf000fcfdf8f800000f03200001001840010c01ffff01600000030090000003000003003c959009' +
      '210001002b42010101600000030090000003000003003ca00a080c1f3e595912930bc05a020000030002000003003c1022000100' +
      '064401c073c189',
    is: {
      width: 320,
      height: 180,
      sampleAspect: { horizontal: 1, vertical: 1 },
      nominalFps: 30,
      codec: 'hvc1.1.6.L60.90',
    },
  },
  {
    name: 'Main 10 at 1080 lines with samples of 4:3',
    hex:
      '01022000000090000000000078f000fcfdfafa00000f03200001001840010c01ffff022000000300900000030000030078959409' +
      '210001002b420101022000000300900000030000030078a003c0801107cad965654a4c2f0e680800001f480003a9804022000100' +
      '064401c073c189',
    is: {
      width: 1920,
      height: 1080,
      sampleAspect: { horizontal: 4, vertical: 3 },
      nominalFps: 30_000 / 1001,
      codec: 'hvc1.2.4.L120.90',
    },
  },
  {
    name: '4:4:4 with three temporal layers, scaling lists, colours and bounds of the rate',
    hex:
      '0104080000009e08000000003cf002fffff8f800001b04200001001d40010c04ffff0408000003009e0800000300003c00009594' +
      'aca565024021000100494201040408000003009e0800000300003c00009001510080e3e3f2caca5652b2a5270bc06d0100000300' +
      '010000030019600c965e001e840007a12e001e840007a12e001e840007a12222000100084401c0731830189027000100064e0181010f80',
    is: {
      width: 322,
      height: 242,
      sampleAspect: { horizontal: 1, vertical: 1 },
      nominalFps: 25,
      codec: 'hvc1.4.10.L60.9E.8',
    },
  },
];
const mainTen = Buffer.from(records[1]?.hex ?? '', 'hex');

describe('parseHevcConfig', () => {
  it.each(records)('reads $name', ({ hex, is }) => {
    const record = Buffer.from(hex, 'hex');
    expect(parseHevcConfig(record)).toEqual({ ...is, record, nalLengthBytes: 4 });
  });

  it('uses a frame rate that the record marks as constant', () => {
    const record = Buffer.from(mainTen);
    record.writeUInt8(record.readUInt8(21) | 0x40, 21);
    expect(parseHevcConfig(record).fps).toBeCloseTo(29.97, 2);
  });

  it('names the high tier, and a profile space', () => {
    const record = Buffer.from(mainTen);
    record.writeUInt8(0x80 | 0x20 | 2, 1);
    expect(parseHevcConfig(record).codec).toBe('hvc1.B2.4.H120.90');
  });

  it.each([
    ['nothing', ''],
    ['another version', `02${mainTen.toString('hex', 1)}`],
    ['prefixes of 3 bytes', `${mainTen.toString('hex', 0, 21)}0e${mainTen.toString('hex', 22)}`],
    ['no parameter sets', `${mainTen.toString('hex', 0, 22)}00`],
    ['no picture parameter set', `${mainTen.toString('hex', 0, 22)}02${mainTen.toString('hex', 23)}`],
    ['a truncated array', mainTen.toString('hex', 0, 60)],
  ])('rejects %s', (_name, hex) => {
    expect(() => parseHevcConfig(Buffer.from(hex, 'hex'))).toThrow(MediaFormatError);
  });

  it('rejects more than 256 parameter sets, of all kinds together', () => {
    const sets = (count: number) => Buffer.concat([Buffer.of(0x20, count >> 8, count & 0xff), Buffer.alloc(2 * count)]);
    const record = Buffer.concat([mainTen.subarray(0, 22), Buffer.of(2), sets(200), sets(57)]);
    expect(() => parseHevcConfig(record)).toThrow(new MediaFormatError('HEVC configuration has too many parameter sets.'));
  });

  it('throws only MediaFormatError on any change of a record', () => {
    fc.assert(
      fc.property(fc.nat(mainTen.length - 1), fc.nat(255), (position, value) => {
        const changed = Buffer.from(mainTen);
        changed.writeUInt8(value, position);
        try {
          const { width, height } = parseHevcConfig(changed);
          expect(Math.min(width, height)).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(MediaFormatError);
        }
      }),
    );
  });
});

/** Writes `ue(v)` for each of these values. */
const golombs = (writer: BitWriter, ...values: readonly number[]) =>
  values.reduce((to, value) => to.unsignedExpGolomb(value), writer);

test('a frame rate is found after predicted reference picture sets and long-term pictures', () => {
  // Main, one layer; 64 by 64 samples, no cropping; 8 bits, 4 bits of picture order.
  const writer = new BitWriter().bits(0x4201, 16).bits(0, 4).bits(0, 3).bits(1, 1).bits(0, 32).bits(0, 32).bits(0, 32);
  golombs(writer, 0, 1, 64, 64).flag(false);
  golombs(writer, 0, 0, 0).flag(true);
  golombs(writer, 4, 0, 0, 0, 2, 0, 2, 0, 0).flag(false).bits(0, 2).flag(false);
  golombs(writer, 3);
  // The pictures at -1, -3 and 1.
  golombs(writer, 2, 1, 0).flag(true);
  golombs(writer, 1).flag(true);
  golombs(writer, 0).flag(true);
  // The same shifted by -1, plus that picture: of -2, -4, 0 and -1 the second is unused, and the third would be the picture itself.
  writer.flag(true).flag(true);
  golombs(writer, 0).bits(0b1, 1).bits(0b00, 2).bits(0b1, 1).bits(0b01, 2);
  // The remaining two shifted by 1, plus that picture.
  writer.flag(true).flag(false);
  golombs(writer, 0).bits(0b111, 3);
  writer.flag(true);
  golombs(writer, 1).bits(0b00101, 5);
  writer.bits(0, 2).flag(true);
  writer.bits(0, 4).bits(0, 3).flag(false).flag(true).bits(1, 32).bits(50, 32);
  expect(parseHevcSps(writer.toBuffer())).toMatchObject({ width: 64, height: 64, nominalFps: 50 });
});

test('the sample entry marks its parameter sets as complete', () => {
  const init = formatInitSegment({ video: hevcFormat.parseRecord(mainTen) });
  const entry = readBoxes(findBox(init, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd')?.subarray(8) ?? Buffer.alloc(0))[0];
  expect([entry?.type, entry?.content.readUInt16BE(24), entry?.content.readUInt16BE(26)]).toEqual(['hvc1', 1920, 1080]);
  const complete = Buffer.from(mainTen);
  for (const header of ['200001', '210001', '220001'])
    complete.writeUInt8(complete.readUInt8(mainTen.indexOf(header, 'hex')) | 0x80, mainTen.indexOf(header, 'hex'));
  expect(readBoxes(entry?.content.subarray(78) ?? Buffer.alloc(0))).toMatchObject([
    { type: 'hvcC', content: complete },
    { type: 'pasp', content: Buffer.from('0000000400000003', 'hex') },
  ]);
});

test.each([
  ['an IDR picture with leading pictures', '2601', true],
  ['an IDR picture', '2801', true],
  ['a broken link', '2001', true],
  ['a clean random access picture, after which others may be shown before it', '2a01', false],
  ['another picture', '0201', false],
])('%s is independent: %s is %s', (_name, header, independent) => {
  const message = '000000034e0101';
  const data = Buffer.from(`${message}00000003${header}ac`, 'hex');
  expect(inspectHevcPicture(data, { nalLengthBytes: 4 })).toEqual({ independent });
  expect(() => inspectHevcPicture(data.subarray(0, -1), { nalLengthBytes: 4 })).toThrow(MediaFormatError);
});

test.each([
  ['an IDR picture', '2801', true],
  ['a reserved slice', '3e01', true],
  ['a parameter set', '4001', false],
  ['a message', '4e01', false],
])('whether %s is a picture', (_name, header, isPicture) => {
  const data = Buffer.from(`0000000346015000000003${header}ac`, 'hex');
  expect(inspectHevcPicture(data, { nalLengthBytes: 4 }) !== undefined).toBe(isPicture);
});
