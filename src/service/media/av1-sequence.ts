import { BitReader } from './bit-reader.ts';
import { isCredibleFps } from './credible-fps.ts';

/** The parts of an AV1 sequence header that playback needs. */
export interface Av1Sequence {
  /** Size of the largest frame. */
  width: number;
  height: number;
  /** Frames per second, if the header promises equal intervals. */
  fps?: number;
  /** Nominal frames per second of the stream's clock. */
  nominalFps?: number;
  /** `reduced_still_picture_header`: a single picture with shorter frame headers. */
  isStill: boolean;
  color: Av1Color;
}

/** The colour information at the end of the codec string (AV1-ISOBMFF §5). */
export interface Av1Color {
  monochrome: boolean;
  /** Horizontal and vertical subsampling, and the chroma position. */
  subsampling: readonly [number, number, number];
  /** Primaries, transfer and matrix, by their numbers in ISO/IEC 23091-2; undefined if unspecified. */
  description: readonly [number, number, number] | undefined;
  fullRange: boolean;
}

interface TimingFacts {
  fps?: number;
  nominalFps?: number;
}

/**
 * Parses the payload of a sequence header OBU (AV1 §5.5).
 *
 * @throws {MediaFormatError} when it is malformed
 */
export function parseAv1Sequence(payload: Buffer): Av1Sequence {
  const reader = new BitReader(payload, 'AV1 sequence header');
  const profile = reader.bits(3);
  reader.skip(1);
  const isStill = reader.flag();
  const timing = isStill ? skipStillLevel(reader) : readOperatingPoints(reader);
  const widthBits = reader.bits(4) + 1;
  const heightBits = reader.bits(4) + 1;
  const width = reader.bits(widthBits) + 1;
  const height = reader.bits(heightBits) + 1;
  if (!isStill && reader.flag()) reader.skip(7);
  reader.skip(3);
  if (!isStill) skipTools(reader);
  reader.skip(3);
  return { width, height, ...timing, isStill, color: readColor(reader, profile) };
}

function skipStillLevel(reader: BitReader): TimingFacts {
  reader.skip(5);
  return {};
}

/** Reads from the timing information to the last operating point. */
function readOperatingPoints(reader: BitReader): TimingFacts {
  let timing: TimingFacts = {};
  let delayBits: number | undefined;
  if (reader.flag()) {
    timing = readTiming(reader);
    if (reader.flag()) {
      delayBits = reader.bits(5) + 1;
      reader.skip(32 + 5 + 5);
    }
  }
  const hasDisplayDelay = reader.flag();
  const points = reader.bits(5) + 1;
  for (let point = 0; point < points; point += 1) {
    reader.skip(12);
    if (reader.bits(5) > 7) reader.skip(1);
    if (delayBits !== undefined && reader.flag()) reader.skip(2 * delayBits + 1);
    if (hasDisplayDelay && reader.flag()) reader.skip(4);
  }
  return timing;
}

/** `timing_info` (§5.5.3). */
function readTiming(reader: BitReader): TimingFacts {
  const unitsInTick = reader.bits(32);
  const timescale = reader.bits(32);
  const isEqual = reader.flag();
  const ticks = isEqual ? reader.unsignedExpGolomb() + 1 : 1;
  const fps = timescale / (unitsInTick * ticks);
  if (!isCredibleFps(fps)) return {};
  return isEqual ? { fps, nominalFps: fps } : { nominalFps: fps };
}

/** Skips the flags of enabled coding tools. */
function skipTools(reader: BitReader): void {
  reader.skip(4);
  const hasOrderHint = reader.flag();
  if (hasOrderHint) reader.skip(2);
  const selectsScreenContent = reader.flag();
  const mayBeScreenContent = selectsScreenContent || reader.flag();
  if (mayBeScreenContent && !reader.flag()) reader.skip(1);
  if (hasOrderHint) reader.skip(3);
}

/** `color_config` (§5.5.2). */
function readColor(reader: BitReader, profile: number): Av1Color {
  const highDepth = reader.flag();
  const twelveBits = profile === 2 && highDepth && reader.flag();
  const monochrome = profile !== 1 && reader.flag();
  const description = reader.flag() ? ([reader.bits(8), reader.bits(8), reader.bits(8)] as const) : undefined;
  if (monochrome) return { monochrome, subsampling: [1, 1, 0], description, fullRange: reader.flag() };
  // sRGB is always 4:4:4 and full range.
  if (description?.join() === '1,13,0') return { monochrome, subsampling: [0, 0, 0], description, fullRange: true };
  const fullRange = reader.flag();
  const [across, down] = readSubsampling(reader, profile, twelveBits);
  return { monochrome, subsampling: [across, down, down ? reader.bits(2) : 0], description, fullRange };
}

function readSubsampling(reader: BitReader, profile: number, twelveBits: boolean): [number, number] {
  if (profile === 0) return [1, 1];
  if (profile === 1) return [0, 0];
  if (!twelveBits) return [1, 0];
  const across = reader.bits(1);
  return [across, across ? reader.bits(1) : 0];
}
