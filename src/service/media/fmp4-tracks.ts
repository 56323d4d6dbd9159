import type { TrackKind } from '../../shared/model/track-kind.ts';
import type { BitReader } from './bit-reader.ts';
import { type Box, findBox, openFullBox, readBoxes, type SampleDefaults } from './fmp4-reader.ts';
import { MediaFormatError } from './media-format-error.ts';

/** A track as announced by an init segment. */
export interface AnnouncedTrack {
  id: number;
  kind: TrackKind;
  /** Ticks per second. */
  timescale: number;
  /** The type of its sample entry. */
  fourCc: string;
  /** The boxes of its sample entry. */
  boxes: readonly Box[];
  defaults: SampleDefaults;
}

const kindOfHandler: Readonly<Record<string, TrackKind>> = { vide: 'video', soun: 'audio' };
/** Size of a sample entry before its boxes (ISO/IEC 14496-12 §12.1.3, §12.2.3). */
const sampleEntryBytes: Readonly<Record<TrackKind, number>> = { video: 78, audio: 28 };

/** Reads the video and audio tracks from the content of a `moov`. @throws {MediaFormatError} when it is malformed */
export function readTracks(moov: Buffer): AnnouncedTrack[] {
  const defaults = readDefaults(findBox(moov, 'mvex'));
  return readBoxes(moov).flatMap(({ type, content }) => (type === 'trak' ? readTrack(content, defaults) : []));
}

function readTrack(trak: Buffer, defaults: ReadonlyMap<number, SampleDefaults>): AnnouncedTrack[] {
  const id = readAfterTimes(requireBox(trak, 'tkhd'), 'tkhd');
  const handler = openFullBox(requireBox(trak, 'mdia', 'hdlr'), 'hdlr').fields;
  handler.skip(32);
  const kind = kindOfHandler[readType(handler)];
  if (kind === undefined) return [];
  const timescale = readAfterTimes(requireBox(trak, 'mdia', 'mdhd'), 'mdhd');
  if (timescale === 0) throw new MediaFormatError('The timescale of a track is 0.');
  const entry = readBoxes(requireBox(trak, 'mdia', 'minf', 'stbl', 'stsd').subarray(8))[0];
  if (entry === undefined) throw new MediaFormatError('A track has no sample entry.');
  return [
    {
      id,
      kind,
      timescale,
      fourCc: entry.type,
      boxes: readBoxes(entry.content.subarray(sampleEntryBytes[kind])),
      defaults: defaults.get(id) ?? { duration: 0, sizeBytes: 0, flags: 0 },
    },
  ];
}

/** The number after the two times of `tkhd` and `mdhd`, which have 64 bits in version 1 (§8.3.2, §8.4.2). */
function readAfterTimes(content: Buffer, type: string): number {
  const { version, fields } = openFullBox(content, type);
  fields.skip(version === 1 ? 128 : 64);
  return fields.bits(32);
}

function readDefaults(mvex: Buffer | undefined): Map<number, SampleDefaults> {
  const defaults = new Map<number, SampleDefaults>();
  for (const { type, content } of mvex === undefined ? [] : readBoxes(mvex)) {
    if (type !== 'trex') continue;
    const { fields } = openFullBox(content, type);
    const trackId = fields.bits(32);
    fields.skip(32);
    defaults.set(trackId, { duration: fields.bits(32), sizeBytes: fields.bits(32), flags: fields.bits(32) });
  }
  return defaults;
}

function requireBox(bytes: Buffer, ...path: readonly string[]): Buffer {
  const content = findBox(bytes, ...path);
  if (content === undefined) throw new MediaFormatError(`A track has no ${path.at(-1)}.`);
  return content;
}

function readType(fields: BitReader): string {
  return String.fromCharCode(fields.bits(8), fields.bits(8), fields.bits(8), fields.bits(8));
}
