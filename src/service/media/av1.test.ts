import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { inspectTemporalUnit, parseAv1Config } from './av1.ts';
import { av1Format } from './av1-format.ts';
import { formatInitSegment } from './fmp4-init.ts';
import { findBox, readBoxes } from './fmp4-reader.ts';
import { MediaFormatError } from './media-format-error.ts';

/** Records from various encoders, via ffmpeg. */
const records = [
  {
    name: 'SVT-AV1, Main at 320 by 180',
    hex: '81000c000a0b0200000521e7f66017c002',
    is: { width: 320, height: 180, codec: 'av01.0.00M.08', isStill: false },
  },
  {
    name: 'SVT-AV1 with 30 pictures a second, at equal intervals',
    hex: '81000c000a1404000000040000007b400000a43d07c402f80040',
    is: { width: 322, height: 242, codec: 'av01.0.00M.08', isStill: false, fps: 30, nominalFps: 30 },
  },
  {
    name: 'libaom, 10 bits with the matrix of BT.2020',
    hex: '81004c000a0e000000043d07c4daf95020209040',
    is: { width: 322, height: 242, codec: 'av01.0.00M.10.0.110.02.02.09.0', isStill: false, transfer: 2 },
  },
  {
    name: 'libaom, High with sRGB',
    hex: '812000000a0d200000043d07c4daf92021a004',
    is: { width: 322, height: 242, codec: 'av01.1.00M.08.0.000.01.13.00.1', isStill: false, transfer: 13 },
  },
];
const main = Buffer.from(records[0]?.hex ?? '', 'hex');
const config = parseAv1Config(main);
const header = main.subarray(4);

describe('parseAv1Config', () => {
  it.each(records)('reads $name', ({ hex, is }) => {
    const record = Buffer.from(hex, 'hex');
    expect(parseAv1Config(record)).toEqual({ ...is, record, sequenceHeader: record.subarray(4) });
  });

  it('names the high tier and 12 bits', () => {
    const record = Buffer.from(main);
    record.writeUInt8(0x4d, 1);
    record.writeUInt8(0xec, 2);
    expect(parseAv1Config(record).codec).toBe('av01.2.13H.12');
  });

  it('adds the size to a sequence header that ends the record without one', () => {
    const sizeless = Buffer.concat([main.subarray(0, 4), Buffer.of(0x08), header.subarray(2)]);
    expect(parseAv1Config(sizeless)).toMatchObject({ width: 320, sequenceHeader: header });
  });

  it.each([
    ['nothing', ''],
    ['another version', '82000c000a0b0200000521e7f66017c002'],
    ['no sequence header', '81000c00'],
    ['a truncated sequence header', '81000c000a030200000521'],
    ['an OBU longer than the record', '81000c000a0c0200000521e7f66017c002'],
    ['a forbidden bit', '81000c008a0b0200000521e7f66017c002'],
    ['a picture of 65,536 by 65,535', '81000c000a0d00000007fffffffff003000100'],
    ['a picture of 65,535 by 65,536', '81000c000a0d00000007fffff7fff803000100'],
  ])('rejects %s', (_name, hex) => {
    expect(() => parseAv1Config(Buffer.from(hex, 'hex'))).toThrow(MediaFormatError);
  });

  it('throws only MediaFormatError on any change of a record', () => {
    fc.assert(
      fc.property(fc.nat(main.length - 1), fc.nat(255), (position, value) => {
        const changed = Buffer.from(main);
        changed.writeUInt8(value, position);
        try {
          parseAv1Config(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(MediaFormatError);
        }
      }),
    );
  });
});

test('the sample entry has the record, and the file its brand', () => {
  const init = formatInitSegment({ video: av1Format.parseRecord(main) });
  expect(findBox(init, 'ftyp')?.toString('latin1', 8)).toBe('iso6mp41avc1av01');
  const entry = readBoxes(findBox(init, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd')?.subarray(8) ?? Buffer.alloc(0))[0];
  expect([entry?.type, entry?.content.readUInt16BE(24), entry?.content.readUInt16BE(26)]).toEqual(['av01', 320, 180]);
  expect(readBoxes(entry?.content.subarray(78) ?? Buffer.alloc(0))).toMatchObject([{ type: 'av1C', content: main }]);
});

test('the sample entry can state the largest picture that is accepted', () => {
  const video = av1Format.parseRecord(Buffer.from('81000c000a0d00000007fffff7fff003000100', 'hex'));
  expect([video.width, video.height]).toEqual([65_535, 65_535]);
  expect(() => formatInitSegment({ video })).not.toThrow();
});

describe('a temporal unit', () => {
  const inspect = (...parts: readonly (string | Buffer)[]) =>
    inspectTemporalUnit(
      Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part))),
      config,
    );
  const delimiter = '1200';
  const shownKeyframe = '320310aabb';
  const hiddenKeyframe = '320300aabb';
  const otherFrame = '320330aabb';

  it('is unchanged if nothing needs to change', () => {
    expect(inspect(header, shownKeyframe)).toEqual({ independent: true });
    expect(inspect(otherFrame)).toEqual({ independent: false });
  });

  it('loses its temporal delimiter', () => {
    expect(inspect(delimiter, header, shownKeyframe)).toEqual({
      independent: true,
      sample: Buffer.concat([header, Buffer.from(shownKeyframe, 'hex')]),
    });
    expect(inspect(delimiter, otherFrame)).toEqual({ independent: false, sample: Buffer.from(otherFrame, 'hex') });
  });

  it('that is independent gets a sequence header', () => {
    const sample = Buffer.concat([header, Buffer.from(shownKeyframe, 'hex')]);
    expect(inspect(shownKeyframe)).toEqual({ independent: true, sample });
    expect(inspect(delimiter, shownKeyframe)).toEqual({ independent: true, sample });
  });

  it('is not independent if its keyframe is shown later or repeated', () => {
    expect(inspect(header, hiddenKeyframe)).toEqual({ independent: false });
    expect(inspect('1a01c8')).toEqual({ independent: false });
  });

  it('is as independent as its first frame', () => {
    expect(inspect(header, shownKeyframe, otherFrame)).toEqual({ independent: true });
    expect(inspect(otherFrame, shownKeyframe)).toEqual({ independent: false });
  });

  it('of a still picture is independent, whatever its frame begins with', () => {
    const still = Buffer.concat([header, Buffer.from(otherFrame, 'hex')]);
    expect(inspectTemporalUnit(still, { ...config, isStill: true })).toEqual({ independent: true });
  });

  it('may omit the size of its last OBU', () => {
    expect(inspect(header, '3010aabb')).toEqual({ independent: true });
  });

  it.each([
    ['nothing', ''],
    ['no frame', delimiter],
    ['a truncated frame', '320410aabb'],
    ['a size without an end', '32ffffffffffffffffff'],
  ])('of %s is malformed', (_name, hex) => {
    expect(() => inspect(hex)).toThrow(MediaFormatError);
  });

  it('throws only MediaFormatError, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 30 }), (bytes) => {
        try {
          inspect(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(MediaFormatError);
        }
      }),
    );
  });
});
