import { BitReader } from './bit-reader.ts';
import { isCredibleFps } from './credible-fps.ts';
import { ifWellFormed, MediaFormatError } from './media-format-error.ts';
import { withoutEmulationPrevention } from './nal-unit.ts';
import { noUsability, readUsabilityStart, type UsabilityStart } from './video-usability.ts';

/** The parts of an HEVC sequence parameter set that playback needs. */
export interface HevcParameters extends UsabilityStart {
  /** Samples after cropping. */
  width: number;
  height: number;
  /** Nominal frames per second of the stream's clock, even if not every frame comes. */
  nominalFps?: number;
}

/** `MaxLumaPs` of level 6.2 (ISO/IEC 23008-2 table A.8); the longest side is the square root of eight times that (§A.4.2). */
const maxSamples = 35_651_584;
const maxSide = Math.floor(Math.sqrt(8 * maxSamples));
/** §7.4.3.2.1 and §7.4.8. */
const maxReferenceSets = 64;
const maxReferences = 16;
const maxLongTermReferences = 32;

const name = 'HEVC SPS';

/**
 * Parses a sequence parameter set NAL unit including its two header bytes (ISO/IEC 23008-2 §7.3.2.2 and annex E).
 *
 * @throws {MediaFormatError} when it is malformed or describes a picture that no decoder accepts
 */
export function parseHevcSps(nal: Buffer): HevcParameters {
  if (nal.length < 4 || ((nal.readUInt8(0) >> 1) & 0x3f) !== 33) throw new MediaFormatError('The NAL unit is not an HEVC SPS.');
  const reader = new BitReader(withoutEmulationPrevention(nal.subarray(2)), name);
  reader.skip(4);
  const subLayers = reader.bits(3) + 1;
  reader.skip(1);
  skipProfileTierLevel(reader, subLayers);
  reader.unsignedExpGolomb();
  const chroma = reader.unsignedExpGolomb();
  if (chroma > 3) throw new MediaFormatError(`${name} has the chroma format ${chroma}.`);
  // Whether the planes are coded apart.
  if (chroma === 3) reader.skip(1);
  const codedWidth = reader.unsignedExpGolomb();
  const codedHeight = reader.unsignedExpGolomb();
  if (codedWidth * codedHeight > maxSamples || Math.max(codedWidth, codedHeight) > maxSide) {
    throw new MediaFormatError(`${name} has a picture of ${codedWidth} by ${codedHeight} samples, more than any level allows.`);
  }
  const isCropped = reader.flag();
  const [left, right, top, bottom] = Array.from({ length: 4 }, () => (isCropped ? reader.unsignedExpGolomb() : 0));
  const cropX = chroma === 1 || chroma === 2 ? 2 : 1;
  const cropY = chroma === 1 ? 2 : 1;
  const width = codedWidth - ((left ?? 0) + (right ?? 0)) * cropX;
  const height = codedHeight - ((top ?? 0) + (bottom ?? 0)) * cropY;
  if (width <= 0 || height <= 0) throw new MediaFormatError(`${name} has a picture of ${width} by ${height} samples.`);
  // No decoder depends on the usability information; if it or anything before it is broken it counts as absent.
  const usability = ifWellFormed(() => readToUsability(reader, subLayers), noUsability);
  return { width, height, ...usability };
}

/** Skips `profile_tier_level` (§7.3.3), which the configuration record repeats. */
function skipProfileTierLevel(reader: BitReader, subLayers: number): void {
  reader.skip(88 + 8);
  const present = Array.from({ length: subLayers - 1 }, () => ({ profile: reader.flag(), level: reader.flag() }));
  if (subLayers > 1) reader.skip(2 * (8 - (subLayers - 1)));
  for (const { profile, level } of present) reader.skip((profile ? 88 : 0) + (level ? 8 : 0));
}

/** Reads from the conformance window to the frame rate. */
function readToUsability(reader: BitReader, subLayers: number): UsabilityStart & Pick<HevcParameters, 'nominalFps'> {
  const skipGolombs = (count: number) => {
    for (let index = 0; index < count; index += 1) reader.unsignedExpGolomb();
  };
  skipGolombs(2);
  const orderBits = reader.unsignedExpGolomb() + 4;
  if (orderBits > 16) throw new MediaFormatError(`${name} counts pictures with ${orderBits} bits.`);
  // For every sub-layer, or once for all.
  skipGolombs(3 * (reader.flag() ? subLayers : 1));
  skipGolombs(6);
  if (reader.flag() && reader.flag()) skipScalingLists(reader);
  reader.skip(2);
  if (reader.flag()) {
    reader.skip(8);
    skipGolombs(2);
    reader.skip(1);
  }
  skipReferenceSets(reader);
  if (reader.flag()) {
    const count = reader.unsignedExpGolomb();
    if (count > maxLongTermReferences) throw new MediaFormatError(`${name} has ${count} long-term pictures.`);
    reader.skip(count * (orderBits + 1));
  }
  reader.skip(2);
  return reader.flag() ? readUsability(reader) : noUsability;
}

/** `scaling_list_data` (§7.3.4). */
function skipScalingLists(reader: BitReader): void {
  for (let size = 0; size < 4; size += 1) {
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (!reader.flag()) {
        reader.unsignedExpGolomb();
        continue;
      }
      const coefficients = Math.min(64, 1 << (4 + (size << 1))) + (size > 1 ? 1 : 0);
      for (let index = 0; index < coefficients; index += 1) reader.signedExpGolomb();
    }
  }
}

/** Skips the short-term reference picture sets (§7.3.7); the length of one may depend on the previous one. */
function skipReferenceSets(reader: BitReader): void {
  const count = reader.unsignedExpGolomb();
  if (count > maxReferenceSets) throw new MediaFormatError(`${name} has ${count} reference picture sets.`);
  let before: number[] = [];
  for (let index = 0; index < count; index += 1) {
    before = index > 0 && reader.flag() ? readPredictedSet(reader, before) : readSet(reader);
    if (before.length > maxReferences) throw new MediaFormatError(`${name} has a set of ${before.length} reference pictures.`);
  }
}

/** The picture order distances of a set: earlier pictures, nearest first, then later ones. */
function readSet(reader: BitReader): number[] {
  const earlier = reader.unsignedExpGolomb();
  const later = reader.unsignedExpGolomb();
  if (earlier + later > maxReferences)
    throw new MediaFormatError(`${name} has a set of ${earlier + later} reference pictures.`);
  const readRun = (count: number, sign: 1 | -1) => {
    let distance = 0;
    return Array.from({ length: count }, () => {
      distance += sign * (reader.unsignedExpGolomb() + 1);
      reader.skip(1);
      return distance;
    });
  };
  return [...readRun(earlier, -1), ...readRun(later, 1)];
}

/**
 * A set predicted from the previous one: its pictures and itself, shifted, as far as they are used and not this picture (§7.4.8, equation
 * 7-61).
 */
function readPredictedSet(reader: BitReader, before: readonly number[]): number[] {
  const sign = reader.flag() ? -1 : 1;
  const moved = sign * (reader.unsignedExpGolomb() + 1);
  const distances = [...before.map((distance) => distance + moved), moved];
  const used = distances.filter(() => reader.flag() || reader.flag());
  const nearestFirst = (one: number, other: number) => Math.abs(one) - Math.abs(other);
  return [
    ...used.filter((distance) => distance < 0).sort(nearestFirst),
    ...used.filter((distance) => distance > 0).sort(nearestFirst),
  ];
}

/** Reads the video usability information up to the frame rate (§E.2.1). */
function readUsability(reader: BitReader): UsabilityStart & Pick<HevcParameters, 'nominalFps'> {
  const start = readUsabilityStart(reader);
  reader.skip(3);
  if (reader.flag()) for (let side = 0; side < 4; side += 1) reader.unsignedExpGolomb();
  if (!reader.flag()) return start;
  const unitsInTick = reader.bits(32);
  const timescale = reader.bits(32);
  const fps = timescale / unitsInTick;
  return isCredibleFps(fps) ? { ...start, nominalFps: fps } : start;
}
