import { BitReader } from './bit-reader.ts';
import { MediaFormatError } from './media-format-error.ts';

/** A box in a file (ISO/IEC 14496-12 §4.2). */
export interface Box {
  type: string;
  /** Offset of the box in the bytes it was read from. */
  position: number;
  content: Buffer;
}

/** The header of a box, as {@link Box}. `sizeBytes` includes it. */
interface BoxHeader extends Pick<Box, 'type' | 'position'> {
  headerBytes: number;
  sizeBytes: number;
}

/** One access unit of a track. Times in ticks of the track's timescale. */
export interface ReadSample {
  dts: number;
  /** pts minus dts; may be negative. */
  compositionOffset: number;
  duration: number;
  /** Whether a decoder can start here. */
  sync: boolean;
  data: Buffer;
}

/** Defaults of a track's samples if neither the fragment nor the run has values: `trex` (§8.8.3). */
export interface SampleDefaults {
  duration: number;
  sizeBytes: number;
  flags: number;
}

/** The content of a `moof`. */
export interface Fragment {
  sequenceNumber: number;
  tracks: readonly { trackId: number; samples: readonly ReadSample[] }[];
}

const boxHeaderBytes = 8;
/** Sizes that say where the real one is: in 64 bits after the type, or at the end of the file. */
const sizeIn = { largeField: 1, endOfFile: 0 };
const nonSyncFlag = 0x10000;
/** Real fragments have fewer samples; limits memory, since the counts alone could be anything. */
const maxSamples = 65_536;

// Flags of tfhd and trun (§8.8.7, §8.8.8).
const tfhd = { baseDataOffset: 0x1, description: 0x2, duration: 0x8, size: 0x10, flags: 0x20, baseIsMoof: 0x20000 };
const trun = { dataOffset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400, compositionOffset: 0x800 };

/** Yields the boxes in these bytes. @throws {MediaFormatError} at the first incomplete one */
export function* eachBox(bytes: Buffer): Generator<Box, void, undefined> {
  for (const { type, position, headerBytes, sizeBytes } of eachBoxHeader(bytes)) {
    if (sizeBytes < headerBytes || position + sizeBytes > bytes.length) {
      throw new MediaFormatError(`The box at byte ${position} is incomplete.`);
    }
    yield { type, position, content: bytes.subarray(position + headerBytes, position + sizeBytes) };
  }
}

/** Yields the headers of the boxes in these bytes. The last box may be incomplete; `sizeBytes` is 0 if even its header is. */
export function* eachBoxHeader(bytes: Buffer): Generator<BoxHeader, void, undefined> {
  for (let position = 0; position < bytes.length; ) {
    const { headerBytes, sizeBytes } = readBoxSize(bytes.subarray(position));
    const type = bytes.toString('latin1', position + 4, position + boxHeaderBytes);
    yield { type, position, headerBytes, sizeBytes };
    if (sizeBytes < headerBytes) return;
    position += sizeBytes;
  }
}

/** The size of the box that these bytes begin with, and of its header; a size of 0 if the header is incomplete. */
function readBoxSize(bytes: Buffer): { headerBytes: number; sizeBytes: number } {
  const sizeBytes = bytes.length < boxHeaderBytes ? undefined : bytes.readUInt32BE(0);
  if (sizeBytes === sizeIn.endOfFile) return { headerBytes: boxHeaderBytes, sizeBytes: bytes.length };
  if (sizeBytes !== sizeIn.largeField) return { headerBytes: boxHeaderBytes, sizeBytes: sizeBytes ?? 0 };
  const headerBytes = boxHeaderBytes + 8;
  return { headerBytes, sizeBytes: bytes.length < headerBytes ? 0 : Number(bytes.readBigUInt64BE(boxHeaderBytes)) };
}

/** The boxes in these bytes. @throws {MediaFormatError} when one is incomplete */
export function readBoxes(bytes: Buffer): Box[] {
  return [...eachBox(bytes)];
}

/** The content of the box at this path, taking the first one of each name. @throws {MediaFormatError} */
export function findBox(bytes: Buffer, ...path: readonly string[]): Buffer | undefined {
  let content: Buffer | undefined = bytes;
  for (const type of path) content = content && readBoxes(content).find((box) => box.type === type)?.content;
  return content;
}

/**
 * Reads the samples that a `moof` describes (ISO/IEC 14496-12 §8.8); their data are views.
 *
 * @param file the bytes that the box was read from: data offsets are relative to their start
 * @throws {MediaFormatError} when it is malformed or its data is outside the file
 */
export function readFragment(file: Buffer, moof: Box, defaults: ReadonlyMap<number, SampleDefaults> = new Map()): Fragment {
  const header = findBox(moof.content, 'mfhd');
  if (header === undefined) throw new MediaFormatError('A moof has no mfhd.');
  const { fields } = openFullBox(header, 'mfhd');
  const tracks: { trackId: number; samples: ReadSample[] }[] = [];
  let dataEnd = moof.position;
  const room = { samples: maxSamples };
  for (const { type, content } of readBoxes(moof.content)) {
    if (type !== 'traf') continue;
    const track = readTrackFragment(file, content, { moofStart: moof.position, dataEnd, defaults, room });
    dataEnd = track.dataEnd;
    tracks.push({ trackId: track.trackId, samples: track.samples });
  }
  return { sequenceNumber: fields.bits(32), tracks };
}

interface FragmentContext {
  moofStart: number;
  /** Where the data of the previous track ends. */
  dataEnd: number;
  defaults: ReadonlyMap<number, SampleDefaults>;
  /** How many samples the fragment may still have. */
  room: { samples: number };
}

function readTrackFragment(file: Buffer, traf: Buffer, { moofStart, dataEnd, defaults, room }: FragmentContext) {
  const header = findBox(traf, 'tfhd');
  const time = findBox(traf, 'tfdt');
  if (header === undefined || time === undefined) throw new MediaFormatError('A traf has no tfhd or no tfdt.');
  const { flags, fields } = openFullBox(header, 'tfhd');
  const trackId = fields.bits(32);
  const base = flags & tfhd.baseDataOffset ? read64(fields) : flags & tfhd.baseIsMoof ? moofStart : dataEnd;
  if (flags & tfhd.description) fields.skip(32);
  const trackDefaults = defaults.get(trackId) ?? { duration: 0, sizeBytes: 0, flags: 0 };
  const run: RunContext = {
    file,
    room,
    base,
    dts: readDecodeTime(time),
    dataEnd: base,
    duration: flags & tfhd.duration ? fields.bits(32) : trackDefaults.duration,
    sizeBytes: flags & tfhd.size ? fields.bits(32) : trackDefaults.sizeBytes,
    flags: flags & tfhd.flags ? fields.bits(32) : trackDefaults.flags,
  };
  const samples: ReadSample[] = [];
  for (const { type, content } of readBoxes(traf)) if (type === 'trun') readRun(content, run, samples);
  return { trackId, samples, dataEnd: run.dataEnd };
}

/** The state of reading a run; `dts` and `dataEnd` advance with each sample. */
interface RunContext extends SampleDefaults {
  file: Buffer;
  room: { samples: number };
  base: number;
  dts: number;
  dataEnd: number;
}

function readRun(content: Buffer, run: RunContext, samples: ReadSample[]): void {
  const { version, flags, fields } = openFullBox(content, 'trun');
  const count = fields.bits(32);
  if (count > run.room.samples) throw new MediaFormatError(`A moof has more than ${maxSamples} samples.`);
  run.room.samples -= count;
  if (flags & trun.dataOffset) run.dataEnd = run.base + (fields.bits(32) | 0);
  const firstFlags = flags & trun.firstFlags ? fields.bits(32) : undefined;
  for (let index = 0; index < count; index += 1) {
    const duration = flags & trun.duration ? fields.bits(32) : run.duration;
    const sizeBytes = flags & trun.size ? fields.bits(32) : run.sizeBytes;
    const ownFlags = flags & trun.flags ? fields.bits(32) : run.flags;
    const sampleFlags = index === 0 && firstFlags !== undefined ? firstFlags : ownFlags;
    const offset = flags & trun.compositionOffset ? fields.bits(32) : 0;
    const end = run.dataEnd + sizeBytes;
    if (run.dataEnd < 0 || end > run.file.length) throw new MediaFormatError('A sample is outside its file.');
    samples.push({
      dts: run.dts,
      // Version 0 has unsigned offsets.
      compositionOffset: version === 0 ? offset : offset | 0,
      duration,
      sync: (sampleFlags & nonSyncFlag) === 0,
      data: run.file.subarray(run.dataEnd, end),
    });
    run.dts += duration;
    run.dataEnd = end;
  }
}

function readDecodeTime(content: Buffer): number {
  const { version, fields } = openFullBox(content, 'tfdt');
  return version === 0 ? fields.bits(32) : read64(fields);
}

/** Opens a box whose content begins with a version and 24 bits of flags. @throws {MediaFormatError} when it is too short */
export function openFullBox(content: Buffer, type: string): { version: number; flags: number; fields: BitReader } {
  const fields = new BitReader(content, `A ${type} box`);
  return { version: fields.bits(8), flags: fields.bits(24), fields };
}

function read64(fields: BitReader): number {
  return fields.bits(32) * 2 ** 32 + fields.bits(32);
}
