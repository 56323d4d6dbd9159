import { ascii, formatBox, formatFullBox, uint8, uint16, uint32 } from './fmp4-box.ts';
import type { AudioConfig, VideoConfig } from './track-config.ts';

/** Track ids in every init segment and fragment. */
export const videoTrackId = 1;
export const audioTrackId = 2;

/** Ticks per second of video: milliseconds are whole ticks, and so are frames of the common rates. */
export const videoTimescale = 90_000;

const identityMatrix = uint32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/**
 * Formats the init segment of a file with these tracks: `ftyp`, `moov` (ISO/IEC 14496-12 §4.3, §8; ISO/IEC 14496-15 §5.4.2, §8.4.1;
 * ISO/IEC 14496-14 §5.6; AV1-ISOBMFF §2; Encapsulation of Opus in ISO BMFF §4.3). Sample times come with the fragments, so there is no
 * edit list and every table is empty.
 *
 * Not branded `cmfc`: a CMAF track file has one track, this one has both.
 */
export function formatInitSegment({ video, audio }: { video?: VideoConfig; audio?: AudioConfig }): Buffer {
  const tracks: Buffer[] = [];
  const defaults: Buffer[] = [];
  if (video !== undefined) {
    tracks.push(videoTrack(video));
    defaults.push(formatFullBox('trex', 0, 0, uint32(videoTrackId, 1, 0, 0, 0)));
  }
  if (audio !== undefined) {
    tracks.push(audioTrack(audio));
    defaults.push(formatFullBox('trex', 0, 0, uint32(audioTrackId, 1, 0, 0, 0)));
  }
  const movieHeader = formatFullBox(
    'mvhd',
    0,
    0,
    uint32(0, 0, 1000, 0, 0x10000),
    uint16(0x0100, 0),
    uint32(0, 0),
    identityMatrix,
    uint32(0, 0, 0, 0, 0, 0, audioTrackId + 1),
  );
  return Buffer.concat([
    // The brand `avc1` is that of the AVC extensions of the file format (ISO/IEC 14496-12 annex E.4), whatever the codec.
    formatBox('ftyp', ascii('iso6'), uint32(0), ascii(`iso6mp41avc1${video?.format.brand ?? ''}`)),
    formatBox('moov', movieHeader, tracks, formatBox('mvex', defaults)),
  ]);
}

function videoTrack(config: VideoConfig): Buffer {
  const { width, height, sampleAspect } = config;
  const displayWidth = Math.min(Math.round((width * sampleAspect.horizontal) / sampleAspect.vertical), 0xffff);
  const square = sampleAspect.horizontal === sampleAspect.vertical;
  const sampleEntry = formatBox(
    config.format.fourCc,
    uint8(0, 0, 0, 0, 0, 0),
    uint16(1),
    Buffer.alloc(16),
    uint16(width, height),
    uint32(0x480000, 0x480000, 0),
    uint16(1),
    Buffer.alloc(32),
    uint16(24, 0xffff),
    config.format.formatConfigBox(config),
    square ? [] : [formatBox('pasp', uint32(sampleAspect.horizontal, sampleAspect.vertical))],
  );
  return track({
    id: videoTrackId,
    timescale: videoTimescale,
    volume: 0,
    size: uint32(displayWidth * 0x10000, height * 0x10000),
    handler: formatFullBox('hdlr', 0, 0, uint32(0), ascii('vide'), uint32(0, 0, 0), ascii('video\0')),
    mediaHeader: formatFullBox('vmhd', 0, 1, uint16(0, 0, 0, 0)),
    sampleEntry,
  });
}

function audioTrack(config: AudioConfig): Buffer {
  // A 16.16 field: larger rates are written as 0, and decoders read the configuration anyway.
  const sampleRate = config.timescale <= 0xffff ? config.timescale * 0x10000 : 0;
  const sampleEntry = formatBox(
    config.format.fourCc,
    uint8(0, 0, 0, 0, 0, 0),
    uint16(1),
    uint32(0, 0),
    uint16(config.channels, 16, 0, 0),
    uint32(sampleRate),
    config.format.formatConfigBox(config),
  );
  return track({
    id: audioTrackId,
    timescale: config.timescale,
    volume: 0x0100,
    size: uint32(0, 0),
    handler: formatFullBox('hdlr', 0, 0, uint32(0), ascii('soun'), uint32(0, 0, 0), ascii('audio\0')),
    mediaHeader: formatFullBox('smhd', 0, 0, uint16(0, 0)),
    sampleEntry,
  });
}

interface TrackParts {
  id: number;
  timescale: number;
  volume: number;
  size: Buffer;
  handler: Buffer;
  mediaHeader: Buffer;
  sampleEntry: Buffer;
}

function track({ id, timescale, volume, size, handler, mediaHeader, sampleEntry }: TrackParts): Buffer {
  const undetermined = 0x55c4;
  const reference = formatFullBox('dref', 0, 0, uint32(1), formatFullBox('url ', 0, 1));
  const tables = formatBox(
    'stbl',
    formatFullBox('stsd', 0, 0, uint32(1), sampleEntry),
    formatFullBox('stts', 0, 0, uint32(0)),
    formatFullBox('stsc', 0, 0, uint32(0)),
    formatFullBox('stsz', 0, 0, uint32(0, 0)),
    formatFullBox('stco', 0, 0, uint32(0)),
  );
  return formatBox(
    'trak',
    // Flags: enabled, in movie, in preview.
    formatFullBox('tkhd', 0, 7, uint32(0, 0, id, 0, 0, 0, 0), uint16(0, 0, volume, 0), identityMatrix, size),
    formatBox(
      'mdia',
      formatFullBox('mdhd', 0, 0, uint32(0, 0, timescale, 0), uint16(undetermined, 0)),
      handler,
      formatBox('minf', mediaHeader, formatBox('dinf', reference), tables),
    ),
  );
}
