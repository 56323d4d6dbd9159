import { describe, expect, it } from 'vitest';
import { BitWriter } from './bit-writer.ts';
import { parseHevcSps } from './hevc-sps.ts';
import { MediaFormatError } from './media-format-error.ts';
import { withEmulationPrevention } from './nal-unit.ts';

/** `se(v)`. */
const signed = (writer: BitWriter, value: number) => writer.unsignedExpGolomb(value > 0 ? 2 * value - 1 : -2 * value);
const golombs = (writer: BitWriter, ...values: number[]) => {
  for (const value of values) writer.unsignedExpGolomb(value);
};

/**
 * A short-term reference picture set: the distances between its earlier and between its later pictures, or by how much the set before
 * is moved, and for each of its pictures, and for the moved picture itself, whether it is used.
 */
type ReferenceSet =
  | { earlier: readonly number[]; later: readonly number[] }
  | { movedBy: number; used: readonly ('now' | 'later' | 'not')[] };

interface Sps {
  /** Of each sub-layer but the last: whether its profile and its level are there. */
  layers?: readonly (readonly [profile: boolean, level: boolean])[];
  chroma?: number;
  size?: readonly [width: number, height: number];
  /** Left, right, top, bottom. */
  crop?: readonly number[];
  orderBits?: number;
  orderForEachLayer?: boolean;
  /** Of each matrix, whether its coefficients are there. */
  scaling?: (matrix: number) => boolean;
  pcm?: boolean;
  sets?: readonly ReferenceSet[];
  longTerm?: number;
  /** The default display window has four fields. */
  window?: boolean;
  /** Units in a tick and ticks per second. */
  timing?: readonly [number, number];
  /** Primaries, transfer and matrix. */
  colors?: readonly [number, number, number];
}

/** An SPS of 64 by 64 samples. Its frame rate comes last: if that is read right, nothing before it was misread. */
function formatSps({
  layers = [],
  chroma = 1,
  size = [64, 64],
  crop,
  orderBits = 8,
  orderForEachLayer = true,
  scaling,
  pcm = false,
  sets = [],
  longTerm,
  window = false,
  timing = [1, 50],
  colors,
}: Sps): Buffer {
  const writer = new BitWriter().bits(0, 4).bits(layers.length, 3).bits(1, 1);
  for (let word = 0; word < 3; word += 1) writer.bits(0xffffffff, 32);
  for (const [profile, level] of layers) writer.flag(profile).flag(level);
  if (layers.length > 0) writer.bits(0, 2 * (8 - layers.length));
  for (const [profile, level] of layers) {
    if (profile) writer.bits(0xffffffff, 32).bits(0xffffffff, 32).bits(0xffffff, 24);
    if (level) writer.bits(0xff, 8);
  }
  golombs(writer, 0, chroma);
  if (chroma === 3) writer.flag(true);
  golombs(writer, ...size);
  writer.flag(crop !== undefined);
  golombs(writer, ...(crop ?? []), 0, 0, orderBits - 4);
  writer.flag(orderForEachLayer);
  for (let layer = orderForEachLayer ? layers.length : 0; layer >= 0; layer -= 1) golombs(writer, 4, 2, 5);
  golombs(writer, 0, 3, 0, 3, 1, 2);
  writer.flag(scaling !== undefined);
  if (scaling) {
    writer.flag(true);
    // Six matrices each of 4 by 4, 8 by 8 and 16 by 16 coefficients, and two of 32 by 32, which are coded as 8 by 8; from 16 on with
    // one more coefficient.
    const sizes = [16, 64, 65].flatMap((count) => Array.from({ length: 6 }, () => count)).concat(65, 65);
    for (const [matrix, coefficients] of sizes.entries()) {
      writer.flag(scaling(matrix));
      if (scaling(matrix)) for (let index = 0; index < coefficients; index += 1) signed(writer, (index % 7) - 3);
      else golombs(writer, 1);
    }
  }
  writer.bits(3, 2).flag(pcm);
  if (pcm) {
    writer.bits(0x77, 8);
    golombs(writer, 1, 2);
    writer.bits(1, 1);
  }
  golombs(writer, sets.length);
  for (const [index, set] of sets.entries()) writeSet(writer, set, index > 0);
  writer.flag(longTerm !== undefined);
  if (longTerm !== undefined) {
    golombs(writer, longTerm);
    for (let index = 0; index < longTerm; index += 1) writer.bits(index * 7, orderBits).flag(true);
  }
  // Usability information with nothing but the colours and the timing.
  writer
    .bits(3, 2)
    .flag(true)
    .bits(0, 2)
    .flag(colors !== undefined);
  if (colors !== undefined) writer.bits(5, 3).flag(true).flag(true);
  for (const number of colors ?? []) writer.bits(number, 8);
  writer.bits(0, 1).bits(0, 3).flag(window);
  if (window) golombs(writer, 1, 2, 3, 4);
  writer.flag(true).bits(timing[0], 32).bits(timing[1], 32).flag(true);
  return withEmulationPrevention(Buffer.concat([Buffer.of(0x42, 0x01), writer.toBuffer()]));
}

function writeSet(writer: BitWriter, set: ReferenceSet, mayBePredicted: boolean): void {
  if (mayBePredicted) writer.flag('movedBy' in set);
  if ('movedBy' in set) {
    writer.flag(set.movedBy < 0);
    golombs(writer, Math.abs(set.movedBy) - 1);
    for (const used of set.used) {
      writer.flag(used === 'now');
      if (used !== 'now') writer.flag(used === 'later');
    }
    return;
  }
  golombs(writer, set.earlier.length, set.later.length);
  for (const distance of [...set.earlier, ...set.later]) {
    golombs(writer, distance - 1);
    writer.flag(true);
  }
}

const read = (sps: Sps) => parseHevcSps(formatSps(sps));
const usual = { width: 64, height: 64, sampleAspect: { horizontal: 1, vertical: 1 }, nominalFps: 50 };

describe('parseHevcSps', () => {
  const none: ReferenceSet = { earlier: [], later: [] };
  const predicted: ReferenceSet[] = [
    // -1, -4 and 2.
    { earlier: [1, 3], later: [2] },
    // -2, -3 and -6: one has become the picture itself.
    { movedBy: -2, used: ['now', 'now', 'now', 'now'] },
    // -3, 1 and 3.
    { movedBy: 3, used: ['now', 'not', 'now', 'later'] },
    // -2 and -6.
    { movedBy: -3, used: ['later', 'now', 'now', 'not'] },
    // -4 and 2.
    { movedBy: 2, used: ['now', 'now', 'now'] },
    // 4 and 6.
    { movedBy: 4, used: ['now', 'now', 'now'] },
    // -1, -5 and 1.
    { movedBy: -5, used: ['now', 'now', 'now'] },
    // 2, 4 and 6.
    { movedBy: 5, used: ['now', 'now', 'later', 'not'] },
    { movedBy: -1, used: ['not', 'not', 'not'] },
  ];
  const cases: [string, Sps][] = [
    [
      'sub-layers with a profile, a level, both or none',
      {
        layers: [
          [true, false],
          [false, true],
          [true, true],
          [false, false],
        ],
      },
    ],
    [
      'sub-layers with one order for all',
      {
        layers: [
          [false, false],
          [false, false],
        ],
        orderForEachLayer: false,
      },
    ],
    ['planes that are coded apart', { chroma: 3 }],
    ['scaling lists that are those of another', { scaling: () => false }],
    ['scaling lists of their own', { scaling: () => true }],
    ['some scaling lists of their own', { scaling: (matrix) => matrix % 4 !== 1 }],
    ['coding without compression', { pcm: true }],
    ['reference pictures predicted from others', { sets: predicted }],
    ['as many sets of reference pictures as there may be', { sets: Array.from({ length: 64 }, () => none) }],
    ['as many reference pictures as there may be', { sets: [{ earlier: Array(9).fill(1), later: Array(7).fill(2) }, none] }],
    ['a default display window', { window: true }],
    ['no long-term reference pictures of none', { longTerm: 0 }],
    ['long-term reference pictures', { longTerm: 32, orderBits: 16 }],
  ];
  it.each(cases)('reads what follows %s', (_, sps) => {
    expect(read(sps)).toEqual(usual);
  });

  it.each([16, 18, 1])('reads the transfer characteristics %i', (transfer) => {
    expect(read({ colors: [9, transfer, 9] })).toEqual({ ...usual, transfer });
  });

  it.each([
    [0, [58, 50]],
    [1, [52, 36]],
    [2, [52, 50]],
    [3, [58, 50]],
  ])('crops in the units of chroma format %i', (chroma, [width, height]) => {
    expect(read({ chroma, crop: [2, 4, 6, 8] })).toEqual({ ...usual, width, height });
  });

  it('refuses a picture of which nothing is left', () => {
    expect(read({ crop: [31, 0, 0, 31] })).toEqual({ ...usual, width: 2, height: 2 });
    expect(read({ chroma: 0, crop: [63, 0, 0, 63] })).toEqual({ ...usual, width: 1, height: 1 });
    for (const crop of [
      [32, 0, 0, 0],
      [0, 0, 0, 32],
      [0, 33, 0, 0],
    ])
      expect(() => read({ crop })).toThrow(MediaFormatError);
  });

  it('takes any size of level 6.2, and none beyond', () => {
    for (const [width, height] of [
      [8192, 4352],
      [16_888, 2104],
      [2104, 16_888],
    ] as const)
      expect(read({ size: [width, height] })).toEqual({ ...usual, width, height });
    for (const size of [
      [8192, 4360],
      [16_896, 8],
      [8, 16_896],
    ] as const)
      expect(() => read({ size })).toThrow(MediaFormatError);
    expect(() => read({ chroma: 4 })).toThrow(MediaFormatError);
  });

  it.each<[string, Sps]>([
    ['counts pictures with 17 bits', { orderBits: 17 }],
    ['has 65 sets of reference pictures', { sets: Array.from({ length: 65 }, () => none) }],
    ['has a set of 17 reference pictures', { sets: [{ earlier: Array(9).fill(1), later: Array(8).fill(2) }] }],
    [
      'predicts a set of 17 reference pictures',
      {
        sets: [
          { earlier: Array(16).fill(1), later: [] },
          { movedBy: 1000, used: Array(17).fill('now') },
        ],
      },
    ],
    ['has 33 long-term reference pictures', { longTerm: 33 }],
    ['states the ticks of its clock as its rate', { timing: [1, 1000] }],
    ['has ticks of no length', { timing: [0, 50] }],
  ])('says no frame rate if an SPS %s', (_, sps) => {
    expect(read(sps)).toEqual({ width: 64, height: 64, sampleAspect: usual.sampleAspect });
  });

  it('takes nothing else for an SPS', () => {
    const sps = formatSps({});
    for (const nal of [Buffer.concat([Buffer.of(0x44), sps.subarray(1)]), sps.subarray(0, 2), Buffer.alloc(0)])
      expect(() => parseHevcSps(nal)).toThrow(MediaFormatError);
  });
});
