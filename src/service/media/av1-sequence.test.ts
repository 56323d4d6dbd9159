import { describe, expect, it } from 'vitest';
import { parseAv1Sequence } from './av1-sequence.ts';
import { BitWriter } from './bit-writer.ts';
import { MediaFormatError } from './media-format-error.ts';

interface Sequence {
  profile?: number;
  isStill?: boolean;
  /** Units in a tick, ticks per second, and the ticks of each picture if those are equal. */
  timing?: readonly [number, number, number?];
  /** Bits of the decoder model's delays. */
  delayBits?: number;
  hasDisplayDelay?: boolean;
  /** Level of each operating point, and whether it has a decoder model and a display delay. */
  points?: readonly (readonly [level: number, hasDelays: boolean])[];
  hasFrameIds?: boolean;
  hasOrderHint?: boolean;
  /** Screen content tools: chosen for each frame, on or off; and whether the precision of motion vectors is chosen for each frame. */
  screen?: 'chosen' | 'on' | 'off';
  choosesPrecision?: boolean;
  writeColor?: (writer: BitWriter) => void;
}

/** Primaries, transfer and matrix of BT.709, limited range: the last fields. If they are read right, nothing before was misread. */
const writeUsualColor = (writer: BitWriter) =>
  writer.flag(false).flag(false).flag(true).bits(1, 8).bits(1, 8).bits(1, 8).flag(false).bits(1, 2);
const usualColor = { monochrome: false, subsampling: [1, 1, 1], description: [1, 1, 1], fullRange: false };

/** A sequence header of 320 by 180 samples. */
function formatSequence({
  profile = 0,
  isStill = false,
  timing,
  delayBits,
  hasDisplayDelay = false,
  points = [[5, false]],
  hasFrameIds = false,
  hasOrderHint = false,
  screen = 'chosen',
  choosesPrecision = true,
  writeColor = writeUsualColor,
}: Sequence): Buffer {
  const writer = new BitWriter().bits(profile, 3).flag(isStill).flag(isStill);
  if (isStill) writer.bits(31, 5);
  else {
    writer.flag(timing !== undefined);
    if (timing) {
      const [unitsInTick, timescale, ticks] = timing;
      writer
        .bits(unitsInTick, 32)
        .bits(timescale, 32)
        .flag(ticks !== undefined);
      if (ticks !== undefined) writer.unsignedExpGolomb(ticks - 1);
      writer.flag(delayBits !== undefined);
      if (delayBits !== undefined)
        writer
          .bits(delayBits - 1, 5)
          .bits(0xffffffff, 32)
          .bits(31, 5)
          .bits(31, 5);
    }
    writer.flag(hasDisplayDelay).bits(points.length - 1, 5);
    for (const [level, hasDelays] of points) {
      writer.bits(0xfff, 12).bits(level, 5);
      if (level > 7) writer.flag(true);
      if (delayBits !== undefined) writer.flag(hasDelays);
      if (delayBits !== undefined && hasDelays) writer.bits(0xffffffff, delayBits).bits(0xffffffff, delayBits).flag(true);
      if (hasDisplayDelay) writer.flag(hasDelays);
      if (hasDisplayDelay && hasDelays) writer.bits(15, 4);
    }
  }
  writer.bits(8, 4).bits(7, 4).bits(319, 9).bits(179, 8);
  if (!isStill) writer.flag(hasFrameIds);
  if (hasFrameIds) writer.bits(0x7f, 7);
  writer.bits(7, 3);
  if (!isStill) {
    writer.bits(15, 4).flag(hasOrderHint);
    if (hasOrderHint) writer.bits(3, 2);
    writer.flag(screen === 'chosen');
    if (screen !== 'chosen') writer.flag(screen === 'on');
    if (screen !== 'off') writer.flag(choosesPrecision);
    if (screen !== 'off' && !choosesPrecision) writer.flag(true);
    if (hasOrderHint) writer.bits(7, 3);
  }
  writer.bits(7, 3);
  writeColor(writer);
  // Whether there is film grain, and the trailing bit.
  return writer.flag(true).flag(true).toBuffer();
}

const read = (sequence: Sequence) => parseAv1Sequence(formatSequence(sequence));
const usual = { width: 320, height: 180, isStill: false, color: usualColor };

describe('parseAv1Sequence', () => {
  const cases: [string, Sequence][] = [
    ['one operating point', {}],
    [
      'operating points of two tiers',
      {
        points: [
          [7, false],
          [8, false],
          [31, false],
        ],
      },
    ],
    [
      'display delays of some operating points',
      {
        hasDisplayDelay: true,
        points: [
          [9, true],
          [4, false],
        ],
      },
    ],
    ['frame ids', { hasFrameIds: true }],
    ['order hints', { hasOrderHint: true }],
    ['screen content that is always on', { screen: 'on' }],
    ['screen content that is never on', { screen: 'off' }],
    ['screen content with one precision', { screen: 'on', choosesPrecision: false }],
    ['a precision for all frames, and order hints', { choosesPrecision: false, hasOrderHint: true }],
  ];
  it.each(cases)('reads what follows %s', (_, sequence) => {
    expect(read(sequence)).toEqual(usual);
  });

  it.each<[string, Sequence]>([
    [
      'a decoder model of some operating points',
      {
        delayBits: 5,
        points: [
          [9, true],
          [4, false],
        ],
      },
    ],
    [
      'the longest delays',
      {
        delayBits: 32,
        hasDisplayDelay: true,
        points: [
          [9, true],
          [4, true],
        ],
      },
    ],
    ['no decoder model', {}],
  ])('reads what follows the timing with %s', (_, sequence) => {
    const fps = 30_000 / 1001;
    expect(read({ timing: [1001, 30_000], ...sequence })).toEqual({ ...usual, nominalFps: fps });
    expect(read({ timing: [1001, 60_000, 2], ...sequence })).toEqual({ ...usual, fps, nominalFps: fps });
  });

  it('says no frame rate that cannot be meant', () => {
    for (const timing of [
      [1, 1000],
      [0, 30],
      [1, 1000, 1],
    ] as [number, number, number?][])
      expect(read({ timing })).toEqual(usual);
  });

  it('reads a still picture, which has no operating points and no tools', () => {
    expect(read({ isStill: true })).toEqual({ ...usual, isStill: true });
  });

  const bt2020 = (writer: BitWriter) => writer.flag(true).bits(9, 8).bits(16, 8).bits(9, 8);
  const description = [9, 16, 9];
  it.each<[string, number, (writer: BitWriter) => void, object]>([
    [
      'Main',
      0,
      (writer) => bt2020(writer.flag(true).flag(false)).flag(true).bits(2, 2),
      { subsampling: [1, 1, 2], fullRange: true },
    ],
    [
      'Main, monochrome',
      0,
      (writer) => bt2020(writer.flag(false).flag(true)).flag(true),
      { monochrome: true, subsampling: [1, 1, 0], fullRange: true },
    ],
    ['High, which is 4:4:4', 1, (writer) => bt2020(writer.flag(true)).flag(true), { subsampling: [0, 0, 0], fullRange: true }],
    [
      'Professional, 10 bits: 4:2:2',
      2,
      (writer) => bt2020(writer.flag(true).flag(false).flag(false)).flag(false),
      { subsampling: [1, 0, 0] },
    ],
    [
      'Professional, 12 bits 4:2:0',
      2,
      (writer) => bt2020(writer.flag(true).flag(true).flag(false)).flag(false).bits(3, 2).bits(1, 2),
      { subsampling: [1, 1, 1] },
    ],
    [
      'Professional, 12 bits 4:2:2',
      2,
      (writer) => bt2020(writer.flag(true).flag(true).flag(false)).flag(false).bits(2, 2),
      { subsampling: [1, 0, 0] },
    ],
    [
      'Professional, 12 bits 4:4:4',
      2,
      (writer) => bt2020(writer.flag(true).flag(true).flag(false)).flag(false).bits(0, 1),
      { subsampling: [0, 0, 0] },
    ],
    [
      'Professional, 8 bits',
      2,
      (writer) => bt2020(writer.flag(false).flag(false)).flag(true),
      { subsampling: [1, 0, 0], fullRange: true },
    ],
  ])('reads the colours of %s', (_, profile, writeColor, color) => {
    expect(read({ profile, writeColor }).color).toEqual({ monochrome: false, description, fullRange: false, ...color });
  });

  it('reads colours that are not described', () => {
    const writeColor = (writer: BitWriter) => writer.flag(false).flag(false).flag(false).flag(true).bits(1, 2);
    expect(read({ writeColor }).color).toEqual({ ...usualColor, description: undefined, fullRange: true });
  });

  it('refuses a header that ends too early', () => {
    const whole = formatSequence({ timing: [1, 30] });
    for (let bytes = 0; bytes < whole.length - 1; bytes += 1)
      expect(() => parseAv1Sequence(whole.subarray(0, bytes))).toThrow(MediaFormatError);
  });
});
