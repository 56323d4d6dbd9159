import { describe, expect, it } from 'vitest';
import { BitWriter } from './bit-writer.ts';
import { parseSps } from './h264-sps.ts';
import { MediaFormatError } from './media-format-error.ts';
import { withEmulationPrevention } from './nal-unit.ts';

/** `se(v)`. */
const signed = (writer: BitWriter, value: number) => writer.unsignedExpGolomb(value > 0 ? 2 * value - 1 : -2 * value);

interface Sps {
  chroma?: number;
  separatePlanes?: boolean;
  /** The values of each scaling list, undefined for one that is not there. */
  lists?: (readonly number[] | undefined)[];
  frameNumBits?: number;
  order?: (writer: BitWriter) => void;
  /** In macroblocks. */
  size?: [width: number, height: number];
  fields?: boolean;
  /** Left, right, top, bottom. */
  crop?: readonly number[];
  /** Units in a tick and ticks per second. */
  timing?: [number, number];
  /** Primaries, transfer and matrix; `format-only` describes no colours. */
  colors?: [number, number, number] | 'format-only';
}

/** A High SPS of 64 by 32 samples. Its frame rate comes last: if that is read right, nothing before it was misread. */
function formatSps({
  chroma = 1,
  separatePlanes = false,
  lists,
  frameNumBits = 4,
  order = (writer) => writer.unsignedExpGolomb(0).unsignedExpGolomb(2),
  size: [width, height] = [4, 2],
  fields = false,
  crop,
  timing = [1, 50],
  colors,
}: Sps): Buffer {
  const writer = new BitWriter().bits(100, 8).bits(0, 8).bits(40, 8).unsignedExpGolomb(0);
  writer.unsignedExpGolomb(chroma);
  if (chroma === 3) writer.flag(separatePlanes);
  writer
    .unsignedExpGolomb(0)
    .unsignedExpGolomb(0)
    .flag(false)
    .flag(lists !== undefined);
  for (const list of lists ?? []) {
    writer.flag(list !== undefined);
    let last = 8;
    for (const value of list ?? []) {
      const delta = value - last;
      signed(writer, delta > 127 ? delta - 256 : delta < -128 ? delta + 256 : delta);
      last = value;
    }
  }
  writer.unsignedExpGolomb(frameNumBits - 4);
  order(writer);
  writer.unsignedExpGolomb(3).flag(false);
  writer
    .unsignedExpGolomb(width - 1)
    .unsignedExpGolomb((fields ? height / 2 : height) - 1)
    .flag(!fields);
  if (fields) writer.flag(true);
  writer.flag(true).flag(crop !== undefined);
  for (const samples of crop ?? []) writer.unsignedExpGolomb(samples);
  // Usability information with nothing but the colours and the timing.
  writer
    .flag(true)
    .flag(false)
    .flag(false)
    .flag(colors !== undefined);
  if (colors !== undefined)
    writer
      .bits(5, 3)
      .flag(true)
      .flag(colors !== 'format-only');
  for (const number of Array.isArray(colors) ? colors : []) writer.bits(number, 8);
  writer.flag(false);
  writer.flag(true).bits(timing[0], 32).bits(timing[1], 32).flag(true).flag(true);
  return withEmulationPrevention(Buffer.concat([Buffer.of(0x67), writer.toBuffer()]));
}

const read = (sps: Sps) => {
  const { width, height, fps, coding } = parseSps(formatSps(sps));
  return { width, height, fps, macroblocks: coding.macroblocks };
};
const usual = { width: 64, height: 32, fps: 25, macroblocks: 8 };

describe('parseSps', () => {
  it.each<[Sps['colors'], number | undefined]>([
    [[9, 16, 9], 16],
    [[9, 18, 9], 18],
    [[1, 1, 1], 1],
    ['format-only', undefined],
    [undefined, undefined],
  ])('reads the transfer characteristics of colours described as %j', (colors, transfer) => {
    expect(parseSps(formatSps({ colors })).transfer).toBe(transfer);
    expect(read({ colors })).toEqual(usual);
  });

  const flat = (count: number) => Array.from({ length: count }, () => 16);
  const rising = (count: number) => Array.from({ length: count }, (_, index) => 8 + index);
  it.each([
    ['none of eight', Array.from({ length: 8 }, () => undefined)],
    ['whole ones', [...[1, 2, 3, 4, 5, 6].map(() => rising(16)), rising(64), flat(64)]],
    ['one that ends at once', [[0], undefined, undefined, undefined, undefined, undefined, [0], rising(64)]],
    ['one that ends in the middle', [[9, 10, 0], flat(16), undefined, undefined, undefined, undefined, [9, 0], undefined]],
    [
      'steps beyond 255 and back',
      [[120, 240, 100, 0], undefined, undefined, undefined, undefined, undefined, undefined, undefined],
    ],
  ])('reads what follows the scaling lists: %s', (_, lists) => {
    expect(read({ lists })).toEqual(usual);
  });

  it('reads what follows the twelve scaling lists of 4:4:4', () => {
    const lists = [...[1, 2, 3, 4, 5, 6].map(() => flat(16)), ...[1, 2, 3, 4, 5].map(() => rising(64)), undefined];
    expect(read({ chroma: 3, lists })).toEqual(usual);
  });

  it.each([
    [0, {}, [58, 18]],
    [1, {}, [52, 4]],
    [2, {}, [52, 18]],
    [3, {}, [58, 18]],
    [3, { separatePlanes: true }, [58, 18]],
    [0, { fields: true }, [58, 4]],
    [2, { fields: true }, [52, 4]],
  ])('crops in the units of chroma format %i, %o', (chroma, more, [width, height]) => {
    expect(read({ chroma, crop: [2, 4, 6, 8], ...more })).toEqual({ ...usual, width, height });
  });

  it('crops pairs of lines of both fields', () => {
    expect(read({ fields: true, size: [4, 4], crop: [0, 0, 1, 2] })).toEqual({ ...usual, height: 52, macroblocks: 16 });
  });

  it('refuses a picture of which nothing is left', () => {
    expect(read({ crop: [31, 0, 15, 0] })).toEqual({ ...usual, width: 2, height: 2 });
    for (const crop of [
      [32, 0, 0, 0],
      [0, 0, 16, 0],
      [0, 33, 0, 0],
    ])
      expect(() => read({ crop })).toThrow(MediaFormatError);
  });

  const cycle = (count: number) => (writer: BitWriter) => {
    writer.unsignedExpGolomb(1).flag(true);
    signed(signed(writer, -7), 300).unsignedExpGolomb(count);
    for (let index = 0; index < count; index += 1) signed(writer, index - 100);
  };

  it.each([0, 1, 3, 255])('reads what follows a picture order with a cycle of %i', (count) => {
    expect(read({ order: cycle(count) })).toEqual(usual);
    expect(parseSps(formatSps({ order: cycle(count) })).coding).toMatchObject({
      orderType: 1,
      orderBits: 0,
      orderDeltaAbsent: true,
    });
  });

  it('counts pictures with up to 16 bits, and has no other picture orders', () => {
    const order = (bits: number) => (writer: BitWriter) => writer.unsignedExpGolomb(0).unsignedExpGolomb(bits - 4);
    expect(parseSps(formatSps({ frameNumBits: 16, order: order(16) })).coding).toMatchObject({
      frameNumBits: 16,
      orderBits: 16,
    });
    expect(read({ order: (writer) => writer.unsignedExpGolomb(2) })).toEqual(usual);
    for (const wrong of [
      { frameNumBits: 17 },
      { order: order(17) },
      { order: cycle(256) },
      { order: (writer: BitWriter) => writer.unsignedExpGolomb(3) },
      { chroma: 4 },
    ])
      expect(() => read(wrong)).toThrow(MediaFormatError);
  });

  it('takes any size of level 6.2, and none beyond', () => {
    for (const [width, height] of [
      [512, 272],
      [1055, 132],
      [132, 1055],
    ] as const)
      expect(read({ size: [width, height] })).toMatchObject({ width: width * 16, height: height * 16 });
    for (const [width, height] of [
      [513, 272],
      [512, 273],
      [1056, 1],
      [1, 1056],
    ] as const)
      expect(() => read({ size: [width, height] })).toThrow(MediaFormatError);
  });

  it('says no frame rate that cannot be meant', () => {
    for (const timing of [
      [0, 50],
      [1, 2_000],
      [100, 50],
    ] as [number, number][])
      expect(read({ timing })).toEqual({ ...usual, fps: undefined });
  });

  it('takes nothing else for an SPS', () => {
    const sps = formatSps({});
    for (const nal of [Buffer.concat([Buffer.of(0x68), sps.subarray(1)]), Buffer.of(0x67), Buffer.alloc(0)])
      expect(() => parseSps(nal)).toThrow(MediaFormatError);
  });
});
