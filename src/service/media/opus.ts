import { MediaFormatError } from './media-format-error.ts';

/** Opus always counts samples at this rate, whatever the recording rate (RFC 7845 §4). */
export const opusRateHz = 48_000;

/** How the coded streams of an Opus track map to channels (RFC 7845 §5.1.1). */
export interface ChannelMapping {
  /** 0: one stream, mono or stereo. 1: up to 8 channels in Vorbis order. 255: channels without defined meaning. */
  family: number;
  /** Number of coded streams in every packet. */
  streams: number;
  /** How many of them are stereo. */
  coupled: number;
  /** The decoded channel that each output channel takes; undefined for family 0. */
  table: Buffer | undefined;
}

/** What a decoder needs to know about an Opus track. */
export interface OpusConfig {
  /** The ID header itself, copied. */
  record: Buffer;
  channels: number;
  /** Samples to drop at the start of the decoded audio. */
  preSkip: number;
  /** The recording rate; 0 if unknown. */
  inputRateHz: number;
  /** Gain of the decoded audio in dB, a signed number with 8 fractional bits. */
  outputGain: number;
  mapping: ChannelMapping;
}

const magic = 'OpusHead';
const headBytes = 19;
/** Offset of the number of streams, for families other than 0; the table follows the number of coupled ones. */
const streamsAt = headBytes;

/**
 * Parses the Opus ID header (RFC 7845 §5.1), little-endian, as in a SequenceStart of Enhanced RTMP.
 *
 * @throws {MediaFormatError} when it is malformed or its channels have no defined layout
 */
export function parseOpusHead(bytes: Buffer): OpusConfig {
  if (bytes.length < headBytes || bytes.toString('latin1', 0, 8) !== magic) {
    throw new MediaFormatError('The Opus configuration is not an OpusHead.');
  }
  // The upper four bits mark incompatible versions.
  if (bytes.readUInt8(8) >> 4 !== 0) throw new MediaFormatError(`Opus configuration version ${bytes.readUInt8(8)} is unknown.`);
  const channels = bytes.readUInt8(9);
  const mapping = readMapping(bytes, channels);
  return {
    record: Buffer.from(bytes),
    channels,
    preSkip: bytes.readUInt16LE(10),
    inputRateHz: bytes.readUInt32LE(12),
    outputGain: bytes.readInt16LE(16),
    mapping,
  };
}

function readMapping(bytes: Buffer, channels: number): ChannelMapping {
  const family = bytes.readUInt8(18);
  if (family === 0) {
    if (channels !== 1 && channels !== 2) throw new MediaFormatError(`Opus configuration has ${channels} channels.`);
    return { family, streams: 1, coupled: channels - 1, table: undefined };
  }
  if (family !== 1 && family !== 255) throw new MediaFormatError(`Opus channel mapping family ${family} is not supported.`);
  if (channels === 0 || (family === 1 && channels > 8))
    throw new MediaFormatError(`Opus configuration has ${channels} channels.`);
  const tableAt = streamsAt + 2;
  if (bytes.length < tableAt + channels) throw new MediaFormatError('Opus configuration ends inside its channel mapping.');
  const streams = bytes.readUInt8(streamsAt);
  const coupled = bytes.readUInt8(streamsAt + 1);
  const table = Buffer.from(bytes.subarray(tableAt, tableAt + channels));
  const isSound = streams > 0 && coupled <= streams && table.every((decoded) => decoded === 255 || decoded < streams + coupled);
  if (!isSound) throw new MediaFormatError('Opus configuration maps channels to missing streams.');
  return { family, streams, coupled, table };
}

/** Samples per frame by the packet's configuration, 2.5 to 60 ms (RFC 6716 §3.1, table 2). */
const silkFrames = [480, 960, 1920, 2880];
const hybridFrames = [480, 960];
const celtFrames = [120, 240, 480, 960];
/** No packet is longer than 120 ms (RFC 6716 §3.2.5). */
const maxPacketSamples = 5760;

/**
 * The duration of a packet in samples at {@link opusRateHz} (RFC 6716 §3.1). All streams in a packet have the same duration.
 *
 * @throws {MediaFormatError} when it has no frames, or more than allowed
 */
export function measureOpusPacket(packet: Buffer): number {
  const contents = packet[0];
  if (contents === undefined) throw new MediaFormatError('An Opus packet is empty.');
  const samples = frameSamples(contents >> 3) * countFrames(contents & 3, packet[1]);
  if (samples === 0 || samples > maxPacketSamples) throw new MediaFormatError(`An Opus packet has ${samples} samples.`);
  return samples;
}

function frameSamples(configuration: number): number {
  if (configuration < 12) return silkFrames[configuration & 3] ?? 0;
  return (configuration < 16 ? hybridFrames[configuration & 1] : celtFrames[configuration & 3]) ?? 0;
}

/** The number of frames, from the code in the packet's first byte; for code 3 it is in the second byte. */
function countFrames(code: number, second: number | undefined): number {
  if (code === 3) return (second ?? 0) & 0x3f;
  return code === 0 ? 1 : 2;
}

/** A mono CELT frame of 20 ms at full bandwidth that decodes to silence: after the header comes the silence flag. */
const silentPacket = Buffer.of(0xf8, 0xff, 0xfe);
/** The same with its length, as in all streams of a packet except the last (RFC 6716 appendix B). */
const silentDelimited = Buffer.of(0xf8, 0x02, 0xff, 0xfe);

/** The duration of a silent packet, in samples. */
export const silentSamples = 960;

/** Formats a packet of silence, {@link silentSamples} long. Stereo streams decode a mono frame too. */
export function formatSilentPacket({ mapping }: Pick<OpusConfig, 'mapping'>): Buffer {
  return Buffer.concat([...Array.from({ length: mapping.streams - 1 }, () => silentDelimited), silentPacket]);
}
